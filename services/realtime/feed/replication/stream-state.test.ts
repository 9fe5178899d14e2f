import { describe, expect, it } from 'vitest';
import { type StreamEvent, type StreamState, streamTransition } from './stream-state.ts';

const REASON = new Error('of the connection');
const STATES: readonly StreamState[] = [
  'opening',
  'streaming',
  'waiting',
  'resting',
  'restarting',
  'stopping',
  'waking',
  'closing',
  'closed',
];
const EVENTS: Readonly<Record<StreamEvent['type'], StreamEvent>> = {
  opened: { type: 'opened' },
  ended: { type: 'ended', reason: REASON },
  retry: { type: 'retry' },
  restart: { type: 'restart' },
  rest: { type: 'rest' },
  wake: { type: 'wake' },
  close: { type: 'close' },
};

/** Effects by name; `retry-later` is written as its reason. */
type Row = readonly [
  state: StreamState,
  event: StreamEvent['type'],
  next: StreamState,
  ...effects: (string | Error)[],
];
const TABLE: readonly Row[] = [
  ['opening', 'opened', 'streaming', 'report-streaming'],
  ['opening', 'ended', 'waiting', REASON],
  ['opening', 'retry', 'opening'],
  ['opening', 'restart', 'opening'],
  ['opening', 'rest', 'stopping', 'close-connection'],
  ['opening', 'wake', 'opening'],
  ['opening', 'close', 'closing', 'close-connection'],

  ['streaming', 'opened', 'streaming'],
  ['streaming', 'ended', 'waiting', REASON],
  ['streaming', 'retry', 'streaming'],
  ['streaming', 'restart', 'restarting', 'close-connection'],
  ['streaming', 'rest', 'stopping', 'close-connection'],
  ['streaming', 'wake', 'streaming'],
  ['streaming', 'close', 'closing', 'close-connection'],

  ['waiting', 'opened', 'waiting'],
  ['waiting', 'ended', 'waiting'],
  ['waiting', 'retry', 'opening', 'open'],
  ['waiting', 'restart', 'waiting'],
  ['waiting', 'rest', 'resting', 'cancel-retry'],
  ['waiting', 'wake', 'waiting'],
  ['waiting', 'close', 'closed', 'cancel-retry'],

  ['resting', 'opened', 'resting'],
  ['resting', 'ended', 'resting'],
  ['resting', 'retry', 'resting'],
  ['resting', 'restart', 'resting'],
  ['resting', 'rest', 'resting'],
  ['resting', 'wake', 'opening', 'open'],
  ['resting', 'close', 'closed'],

  ['restarting', 'opened', 'restarting'],
  ['restarting', 'ended', 'waiting', REASON],
  ['restarting', 'retry', 'restarting'],
  ['restarting', 'restart', 'restarting'],
  ['restarting', 'rest', 'stopping'],
  ['restarting', 'wake', 'restarting'],
  ['restarting', 'close', 'closing'],

  ['stopping', 'opened', 'stopping'],
  ['stopping', 'ended', 'resting'],
  ['stopping', 'retry', 'stopping'],
  ['stopping', 'restart', 'stopping'],
  ['stopping', 'rest', 'stopping'],
  ['stopping', 'wake', 'waking'],
  ['stopping', 'close', 'closing'],

  ['waking', 'opened', 'waking'],
  ['waking', 'ended', 'opening', 'open'],
  ['waking', 'retry', 'waking'],
  ['waking', 'restart', 'waking'],
  ['waking', 'rest', 'stopping'],
  ['waking', 'wake', 'waking'],
  ['waking', 'close', 'closing'],

  ['closing', 'opened', 'closing'],
  ['closing', 'ended', 'closed'],
  ['closing', 'retry', 'closing'],
  ['closing', 'restart', 'closing'],
  ['closing', 'rest', 'closing'],
  ['closing', 'wake', 'closing'],
  ['closing', 'close', 'closing'],

  ['closed', 'opened', 'closed'],
  ['closed', 'ended', 'closed'],
  ['closed', 'retry', 'closed'],
  ['closed', 'restart', 'closed'],
  ['closed', 'rest', 'closed'],
  ['closed', 'wake', 'closed'],
  ['closed', 'close', 'closed'],
];

describe('the life cycle of a replication stream', () => {
  it.for(TABLE)('in state %s, %s leads to %s', ([state, event, next, ...effects]) => {
    const expected = effects.map((effect) =>
      typeof effect === 'string' ? { type: effect } : { type: 'retry-later', reason: effect },
    );
    expect(streamTransition(state, EVENTS[event])).toEqual({ next, effects: expected });
  });

  it('has a test for every state and event', () => {
    const pairs = STATES.flatMap((state) => Object.keys(EVENTS).map((event) => `${state} ${event}`));
    expect(TABLE.map(([state, event]) => `${state} ${event}`)).toEqual(pairs);
  });

  it('retries with a default reason after a restart, which ends a connection without a reason', () => {
    const { effects } = streamTransition('restarting', { type: 'ended', reason: undefined });
    expect(effects).toMatchObject([{ type: 'retry-later', reason: expect.any(Error) }]);
  });
});
