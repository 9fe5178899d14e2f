import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { afterSignOut, beforeSignOut, beginSignOut, cancelSignOut, settleSignOut } from './leaving.ts';

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
    settleSignOut('ada');
    expect(heard).toEqual(['begin ada']);
    settleSignOut(undefined);
    settleSignOut(undefined);
    expect(heard).toEqual(['begin ada', 'gone ada']);
  });

  it('ends with somebody else, too', () => {
    beginSignOut('ada');
    settleSignOut('bob');
    expect(heard).toEqual(['begin ada', 'gone ada']);
  });

  it('that failed is no reason later on', () => {
    beginSignOut('ada');
    cancelSignOut();
    settleSignOut(undefined);
    expect(heard).toEqual(['begin ada']);
  });

  it('is nothing that happens by itself', () => {
    settleSignOut(undefined);
    expect(heard).toEqual([]);
  });
});
