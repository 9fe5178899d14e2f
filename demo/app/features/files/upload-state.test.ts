import { describe, expect, it } from 'vitest';
import { type UploadEffect, type UploadEvent, type UploadState, uploadTransition } from './upload-state.ts';

const STATES: readonly UploadState[] = [
  'queued',
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
  'signed-out',
];

/** Pairs of a state and an event that are not listed change nothing. */
const CHANGES: readonly (readonly [UploadState, UploadEvent, UploadState, UploadEffect?])[] = [
  ['queued', 'started', 'running', 'start'],
  ['queued', 'failed', 'failed'],
  ['queued', 'paused', 'paused'],
  ['queued', 'cancelled', 'removed'],
  ['queued', 'signed-out', 'removed'],

  ['running', 'failed', 'failed'],
  ['running', 'disconnected', 'offline', 'retry-later'],
  ['running', 'done', 'done', 'notify'],
  ['running', 'paused', 'paused', 'stop'],
  ['running', 'cancelled', 'removed', 'abort'],
  ['running', 'signed-out', 'removed', 'stop'],

  ['paused', 'resumed', 'queued'],
  ['paused', 'cancelled', 'removed', 'delete-parts'],
  ['paused', 'signed-out', 'removed'],

  ['offline', 'paused', 'paused'],
  ['offline', 'resumed', 'queued'],
  ['offline', 'cancelled', 'removed', 'delete-parts'],
  ['offline', 'signed-out', 'removed'],

  ['failed', 'resumed', 'queued'],
  ['failed', 'cancelled', 'removed'],
  ['failed', 'signed-out', 'removed'],

  ['done', 'cancelled', 'removed'],
  ['done', 'signed-out', 'removed'],
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
