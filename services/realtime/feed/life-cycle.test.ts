import { describe, expect, it } from 'vitest';
import { type FeedEffect, type FeedEvent, type FeedState, feedTransition } from './life-cycle.ts';

const STATES: readonly FeedState[] = ['connecting', 'resuming', 'streaming', 'suspended', 'closed'];
const EVENTS: readonly FeedEvent[] = ['opened', 'lost', 'stale', 'acquired', 'idle', 'close'];

type Row = readonly [state: FeedState, event: FeedEvent, next: FeedState, ...effects: FeedEffect[]];
const TABLE: readonly Row[] = [
  ['connecting', 'opened', 'streaming', 'announce-streaming'],
  ['connecting', 'lost', 'connecting', 'forget-positions'],
  ['connecting', 'stale', 'connecting'],
  ['connecting', 'acquired', 'connecting'],
  ['connecting', 'idle', 'suspended', 'disconnect-stream', 'forget-positions', 'announce-suspended'],
  ['connecting', 'close', 'closed', 'stop'],

  ['resuming', 'opened', 'streaming', 'announce-streaming'],
  ['resuming', 'lost', 'connecting', 'forget-positions', 'announce-lost'],
  ['resuming', 'stale', 'resuming'],
  ['resuming', 'acquired', 'resuming'],
  ['resuming', 'idle', 'suspended', 'disconnect-stream', 'forget-positions', 'announce-suspended'],
  ['resuming', 'close', 'closed', 'stop'],

  ['streaming', 'opened', 'streaming'],
  ['streaming', 'lost', 'connecting', 'forget-positions', 'announce-lost'],
  ['streaming', 'stale', 'connecting', 'restart-stream', 'announce-lost'],
  ['streaming', 'acquired', 'streaming'],
  ['streaming', 'idle', 'suspended', 'disconnect-stream', 'forget-positions', 'announce-suspended'],
  ['streaming', 'close', 'closed', 'stop'],

  ['suspended', 'opened', 'suspended'],
  ['suspended', 'lost', 'suspended'],
  ['suspended', 'stale', 'suspended'],
  ['suspended', 'acquired', 'resuming', 'connect-stream'],
  ['suspended', 'idle', 'suspended'],
  ['suspended', 'close', 'closed', 'stop'],

  ['closed', 'opened', 'closed'],
  ['closed', 'lost', 'closed'],
  ['closed', 'stale', 'closed'],
  ['closed', 'acquired', 'closed'],
  ['closed', 'idle', 'closed'],
  ['closed', 'close', 'closed'],
];

describe('the life cycle of a feed', () => {
  it.for(TABLE)('in state %s, %s leads to %s', ([state, event, next, ...effects]) => {
    expect(feedTransition(state, event)).toEqual({ next, effects });
  });

  it('has a test for every state and event', () => {
    const pairs = STATES.flatMap((state) => EVENTS.map((event) => `${state} ${event}`));
    expect(TABLE.map(([state, event]) => `${state} ${event}`)).toEqual(pairs);
  });

  it('announces a status last, since listeners may send events', () => {
    for (const [, , , ...effects] of TABLE) {
      const announced = effects.findIndex((effect) => effect.startsWith('announce-'));
      expect([-1, effects.length - 1]).toContain(announced);
    }
  });
});
