import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  afterSignOut,
  beforeSignOut,
  beginSignOut,
  cancelSignOut,
  completeSignOut,
} from './sign-out-events.ts';

let events: string[] = [];
let stops: (() => void)[] = [];

beforeEach(() => {
  events = [];
  stops = [
    beforeSignOut((id) => events.push(`begin ${id}`)),
    afterSignOut((id) => events.push(`gone ${id}`)),
  ];
});

afterEach(() => {
  for (const stop of stops) stop();
});

describe('a sign-out', () => {
  it('notifies listeners before and after, once', () => {
    beginSignOut('ada');
    expect(events).toEqual(['begin ada']);
    completeSignOut('ada');
    expect(events).toEqual(['begin ada']);
    completeSignOut(undefined);
    completeSignOut(undefined);
    expect(events).toEqual(['begin ada', 'gone ada']);
  });

  it('also completes when another user signs in', () => {
    beginSignOut('ada');
    completeSignOut('bob');
    expect(events).toEqual(['begin ada', 'gone ada']);
  });

  it('that failed does not notify listeners later', () => {
    beginSignOut('ada');
    cancelSignOut();
    completeSignOut(undefined);
    expect(events).toEqual(['begin ada']);
  });

  it('is not reported when a session expires', () => {
    completeSignOut(undefined);
    expect(events).toEqual([]);
  });
});
