import { describe, expect, it } from 'vitest';
import { type StreamEvent, type StreamState, streamTransition } from './stream-state.ts';

const REASON = new Error('of the connection');
const STATES: readonly StreamState[] = [
  'opening',
  'streaming',
  'waiting',
  'disconnected',
  'restarting',
  'stopping',
  'reconnecting',
  'closing',
  'closed',
];
const EVENTS: Readonly<Record<StreamEvent['type'], StreamEvent>> = {
  opened: { type: 'opened' },
  ended: { type: 'ended', reason: REASON },
  retry: { type: 'retry' },
  restart: { type: 'restart' },
  disconnect: { type: 'disconnect' },
  connect: { type: 'connect' },
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
  ['opening', 'disconnect', 'stopping', 'close-connection'],
  ['opening', 'connect', 'opening'],
  ['opening', 'close', 'closing', 'close-connection'],

  ['streaming', 'opened', 'streaming'],
  ['streaming', 'ended', 'waiting', REASON],
  ['streaming', 'retry', 'streaming'],
  ['streaming', 'restart', 'restarting', 'close-connection'],
  ['streaming', 'disconnect', 'stopping', 'close-connection'],
  ['streaming', 'connect', 'streaming'],
  ['streaming', 'close', 'closing', 'close-connection'],

  ['waiting', 'opened', 'waiting'],
  ['waiting', 'ended', 'waiting'],
  ['waiting', 'retry', 'opening', 'open'],
  ['waiting', 'restart', 'waiting'],
  ['waiting', 'disconnect', 'disconnected', 'cancel-retry'],
  ['waiting', 'connect', 'waiting'],
  ['waiting', 'close', 'closed', 'cancel-retry'],

  ['disconnected', 'opened', 'disconnected'],
  ['disconnected', 'ended', 'disconnected'],
  ['disconnected', 'retry', 'disconnected'],
  ['disconnected', 'restart', 'disconnected'],
  ['disconnected', 'disconnect', 'disconnected'],
  ['disconnected', 'connect', 'opening', 'open'],
  ['disconnected', 'close', 'closed'],

  ['restarting', 'opened', 'restarting'],
  ['restarting', 'ended', 'waiting', REASON],
  ['restarting', 'retry', 'restarting'],
  ['restarting', 'restart', 'restarting'],
  ['restarting', 'disconnect', 'stopping'],
  ['restarting', 'connect', 'restarting'],
  ['restarting', 'close', 'closing'],

  ['stopping', 'opened', 'stopping'],
  ['stopping', 'ended', 'disconnected'],
  ['stopping', 'retry', 'stopping'],
  ['stopping', 'restart', 'stopping'],
  ['stopping', 'disconnect', 'stopping'],
  ['stopping', 'connect', 'reconnecting'],
  ['stopping', 'close', 'closing'],

  ['reconnecting', 'opened', 'reconnecting'],
  ['reconnecting', 'ended', 'opening', 'open'],
  ['reconnecting', 'retry', 'reconnecting'],
  ['reconnecting', 'restart', 'reconnecting'],
  ['reconnecting', 'disconnect', 'stopping'],
  ['reconnecting', 'connect', 'reconnecting'],
  ['reconnecting', 'close', 'closing'],

  ['closing', 'opened', 'closing'],
  ['closing', 'ended', 'closed'],
  ['closing', 'retry', 'closing'],
  ['closing', 'restart', 'closing'],
  ['closing', 'disconnect', 'closing'],
  ['closing', 'connect', 'closing'],
  ['closing', 'close', 'closing'],

  ['closed', 'opened', 'closed'],
  ['closed', 'ended', 'closed'],
  ['closed', 'retry', 'closed'],
  ['closed', 'restart', 'closed'],
  ['closed', 'disconnect', 'closed'],
  ['closed', 'connect', 'closed'],
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
