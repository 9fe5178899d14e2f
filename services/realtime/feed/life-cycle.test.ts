import { describe, expect, it } from 'vitest';
import { type FeedEffect, type FeedEvent, type FeedState, feedTransition } from './life-cycle.ts';

const STATES: readonly FeedState[] = ['connecting', 'waking', 'streaming', 'resting', 'closed'];
const EVENTS: readonly FeedEvent[] = ['opened', 'lost', 'stale', 'held', 'idle', 'close'];

type Row = readonly [state: FeedState, event: FeedEvent, next: FeedState, ...effects: FeedEffect[]];
const TABLE: readonly Row[] = [
  ['connecting', 'opened', 'streaming', 'announce-streaming'],
  ['connecting', 'lost', 'connecting', 'forget-positions'],
  ['connecting', 'stale', 'connecting'],
  ['connecting', 'held', 'connecting'],
  ['connecting', 'idle', 'resting', 'rest-stream', 'forget-positions', 'announce-resting'],
  ['connecting', 'close', 'closed', 'stop'],

  ['waking', 'opened', 'streaming', 'announce-streaming'],
  ['waking', 'lost', 'connecting', 'forget-positions', 'announce-lost'],
  ['waking', 'stale', 'waking'],
  ['waking', 'held', 'waking'],
  ['waking', 'idle', 'resting', 'rest-stream', 'forget-positions', 'announce-resting'],
  ['waking', 'close', 'closed', 'stop'],

  ['streaming', 'opened', 'streaming'],
  ['streaming', 'lost', 'connecting', 'forget-positions', 'announce-lost'],
  ['streaming', 'stale', 'connecting', 'restart-stream', 'announce-lost'],
  ['streaming', 'held', 'streaming'],
  ['streaming', 'idle', 'resting', 'rest-stream', 'forget-positions', 'announce-resting'],
  ['streaming', 'close', 'closed', 'stop'],

  ['resting', 'opened', 'resting'],
  ['resting', 'lost', 'resting'],
  ['resting', 'stale', 'resting'],
  ['resting', 'held', 'waking', 'wake-stream'],
  ['resting', 'idle', 'resting'],
  ['resting', 'close', 'closed', 'stop'],

  ['closed', 'opened', 'closed'],
  ['closed', 'lost', 'closed'],
  ['closed', 'stale', 'closed'],
  ['closed', 'held', 'closed'],
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
