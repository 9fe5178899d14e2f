import { describe, expect, it } from 'vitest';
import { type WalsenderEvent, type WalsenderState, walsenderTransition } from './walsender-state.ts';

const REASON = new Error('of the connection');
const CLOSED = new Error('the connection was closed');
const STATES: readonly WalsenderState[] = ['opening', 'streaming', 'resting', 'paused', 'closing', 'ended'];
const EVENTS: Readonly<Record<WalsenderEvent['type'], WalsenderEvent>> = {
  started: { type: 'started' },
  pause: { type: 'pause' },
  resume: { type: 'resume' },
  rest: { type: 'rest' },
  wake: { type: 'wake' },
  close: { type: 'close' },
  failed: { type: 'failed', reason: REASON },
  disconnected: { type: 'disconnected' },
  'close-timeout': { type: 'close-timeout' },
};

const FAIL = ['stop-timers', 'destroy', REASON] as const;
const TERMINATE = ['stop-timers', 'resume-socket', 'terminate'] as const;

/** Effects by name; `report-ended` is written as its reason, `undefined` for none. */
type Row = readonly [
  state: WalsenderState,
  event: WalsenderEvent['type'],
  next: WalsenderState,
  ...effects: (string | Error | undefined)[],
];
const TABLE: readonly Row[] = [
  ['opening', 'started', 'streaming', 'start-status', 'report-streaming'],
  ['opening', 'pause', 'opening'],
  ['opening', 'resume', 'opening'],
  ['opening', 'rest', 'opening'],
  ['opening', 'wake', 'opening'],
  ['opening', 'close', 'ended', 'stop-timers', 'destroy', undefined],
  ['opening', 'failed', 'ended', ...FAIL],
  ['opening', 'disconnected', 'opening'],
  ['opening', 'close-timeout', 'opening'],

  ['streaming', 'started', 'streaming'],
  ['streaming', 'pause', 'paused', 'pause-socket'],
  ['streaming', 'resume', 'streaming'],
  ['streaming', 'rest', 'resting', 'pause-socket', 'wake-later'],
  ['streaming', 'wake', 'streaming'],
  ['streaming', 'close', 'closing', ...TERMINATE],
  ['streaming', 'failed', 'ended', ...FAIL],
  ['streaming', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['streaming', 'close-timeout', 'streaming'],

  ['resting', 'started', 'resting'],
  ['resting', 'pause', 'paused'],
  ['resting', 'resume', 'resting'],
  ['resting', 'rest', 'resting'],
  ['resting', 'wake', 'streaming', 'resume-socket'],
  ['resting', 'close', 'closing', ...TERMINATE],
  ['resting', 'failed', 'ended', ...FAIL],
  ['resting', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['resting', 'close-timeout', 'resting'],

  ['paused', 'started', 'paused'],
  ['paused', 'pause', 'paused'],
  ['paused', 'resume', 'streaming', 'resume-socket'],
  ['paused', 'rest', 'paused'],
  ['paused', 'wake', 'paused'],
  ['paused', 'close', 'closing', ...TERMINATE],
  ['paused', 'failed', 'ended', ...FAIL],
  ['paused', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['paused', 'close-timeout', 'paused'],

  ['closing', 'started', 'closing'],
  ['closing', 'pause', 'closing'],
  ['closing', 'resume', 'closing'],
  ['closing', 'rest', 'closing'],
  ['closing', 'wake', 'closing'],
  ['closing', 'close', 'closing'],
  ['closing', 'failed', 'closing'],
  ['closing', 'disconnected', 'ended', 'stop-timers', undefined],
  ['closing', 'close-timeout', 'closing', 'destroy'],

  ['ended', 'started', 'ended'],
  ['ended', 'pause', 'ended'],
  ['ended', 'resume', 'ended'],
  ['ended', 'rest', 'ended'],
  ['ended', 'wake', 'ended'],
  ['ended', 'close', 'ended'],
  ['ended', 'failed', 'ended'],
  ['ended', 'disconnected', 'ended'],
  ['ended', 'close-timeout', 'ended'],
];

describe('the life cycle of a replication connection', () => {
  it.for(TABLE)('in state %s, %s leads to %s', ([state, event, next, ...effects]) => {
    const expected = effects.map((effect) =>
      typeof effect === 'string' ? { type: effect } : { type: 'report-ended', reason: effect },
    );
    expect(walsenderTransition(state, EVENTS[event])).toEqual({ next, effects: expected });
  });

  it('has a test for every state and event', () => {
    const pairs = STATES.flatMap((state) => Object.keys(EVENTS).map((event) => `${state} ${event}`));
    expect(TABLE.map(([state, event]) => `${state} ${event}`)).toEqual(pairs);
  });

  it('reports its end once, on the transition to `ended`', () => {
    for (const [state, , next, ...effects] of TABLE) {
      const reports = effects.filter((effect) => typeof effect !== 'string').length;
      expect(reports).toBe(state !== 'ended' && next === 'ended' ? 1 : 0);
    }
  });
});
