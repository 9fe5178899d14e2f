import { describe, expect, it } from 'vitest';
import { type UploadEffect, type UploadEvent, type UploadState, uploadTransition } from './upload-state.ts';

const STATES: readonly UploadState[] = [
  'waiting',
  'running',
  'paused',
  'offline',
  'failed',
  'done',
  'removed',
];
const EVENTS: readonly UploadEvent[] = [
  'started',
  'failed',
  'disconnected',
  'done',
  'paused',
  'resumed',
  'cancelled',
  'dropped',
];

/** Pairs of a state and an event that are not listed change nothing. */
const CHANGES: readonly (readonly [UploadState, UploadEvent, UploadState, UploadEffect?])[] = [
  ['waiting', 'started', 'running', 'send'],
  ['waiting', 'failed', 'failed'],
  ['waiting', 'paused', 'paused'],
  ['waiting', 'cancelled', 'removed'],
  ['waiting', 'dropped', 'removed'],

  ['running', 'failed', 'failed'],
  ['running', 'disconnected', 'offline', 'retry-later'],
  ['running', 'done', 'done', 'announce'],
  ['running', 'paused', 'paused', 'stop'],
  ['running', 'cancelled', 'removed', 'revoke'],
  ['running', 'dropped', 'removed', 'stop'],

  ['paused', 'resumed', 'waiting'],
  ['paused', 'cancelled', 'removed', 'discard'],
  ['paused', 'dropped', 'removed'],

  ['offline', 'paused', 'paused'],
  ['offline', 'resumed', 'waiting'],
  ['offline', 'cancelled', 'removed', 'discard'],
  ['offline', 'dropped', 'removed'],

  ['failed', 'resumed', 'waiting'],
  ['failed', 'cancelled', 'removed'],
  ['failed', 'dropped', 'removed'],

  ['done', 'cancelled', 'removed'],
  ['done', 'dropped', 'removed'],
];

describe('the states of an upload', () => {
  it.for(CHANGES)('changes %s on %s to %s', ([state, event, ...transition]) => {
    expect(uploadTransition(state, event)).toEqual(transition);
  });

  const isListed = (state: UploadState, event: UploadEvent) =>
    CHANGES.some((change) => change[0] === state && change[1] === event);

  it.for(
    STATES.flatMap((state) =>
      EVENTS.filter((event) => !isListed(state, event)).map((event) => [state, event] as const),
    ),
  )('keeps %s on %s', ([state, event]) => {
    expect(uploadTransition(state, event)).toEqual([state]);
  });
});
