import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  afterSignOut,
  beforeSignOut,
  beginSignOut,
  cancelSignOut,
  completeSignOut,
} from './sign-out-events.ts';

let heard: string[] = [];
let stops: (() => void)[] = [];

beforeEach(() => {
  heard = [];
  stops = [beforeSignOut((id) => heard.push(`begin ${id}`)), afterSignOut((id) => heard.push(`gone ${id}`))];
});

afterEach(() => {
  for (const stop of stops) stop();
});

describe('signing out', () => {
  it('is told before and after, once', () => {
    beginSignOut('ada');
    expect(heard).toEqual(['begin ada']);
    completeSignOut('ada');
    expect(heard).toEqual(['begin ada']);
    completeSignOut(undefined);
    completeSignOut(undefined);
    expect(heard).toEqual(['begin ada', 'gone ada']);
  });

  it('ends with somebody else, too', () => {
    beginSignOut('ada');
    completeSignOut('bob');
    expect(heard).toEqual(['begin ada', 'gone ada']);
  });

  it('that failed is no reason later on', () => {
    beginSignOut('ada');
    cancelSignOut();
    completeSignOut(undefined);
    expect(heard).toEqual(['begin ada']);
  });

  it('is nothing that happens by itself', () => {
    completeSignOut(undefined);
    expect(heard).toEqual([]);
  });
});
