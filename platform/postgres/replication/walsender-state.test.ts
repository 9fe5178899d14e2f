import { describe, expect, it } from 'vitest';
import { type WalsenderEvent, type WalsenderState, walsenderTransition } from './walsender-state.ts';

const REASON = new Error('of the connection');
const CLOSED = new Error('the connection was closed');
const FINISHED = new Error('the server has ended the stream');
const STATES: readonly WalsenderState[] = [
  'opening',
  'streaming',
  'paused',
  'finishing',
  'resting',
  'restarting',
  'closing',
  'ended',
];
const EVENTS: Readonly<Record<WalsenderEvent['type'], WalsenderEvent>> = {
  started: { type: 'started' },
  finished: { type: 'finished' },
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
  ['opening', 'finished', 'ended', 'stop-timers', 'destroy', FINISHED],
  ['opening', 'pause', 'opening'],
  ['opening', 'resume', 'opening'],
  ['opening', 'rest', 'opening'],
  ['opening', 'wake', 'opening'],
  ['opening', 'close', 'ended', 'stop-timers', 'destroy', undefined],
  ['opening', 'failed', 'ended', ...FAIL],
  ['opening', 'disconnected', 'opening'],
  ['opening', 'close-timeout', 'opening'],

  ['streaming', 'started', 'streaming'],
  ['streaming', 'finished', 'ended', 'stop-timers', 'destroy', FINISHED],
  ['streaming', 'pause', 'paused', 'pause-socket'],
  ['streaming', 'resume', 'streaming'],
  ['streaming', 'rest', 'finishing', 'finish'],
  ['streaming', 'wake', 'streaming'],
  ['streaming', 'close', 'closing', ...TERMINATE],
  ['streaming', 'failed', 'ended', ...FAIL],
  ['streaming', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['streaming', 'close-timeout', 'streaming'],

  ['paused', 'started', 'paused'],
  ['paused', 'finished', 'ended', 'stop-timers', 'destroy', FINISHED],
  ['paused', 'pause', 'paused'],
  ['paused', 'resume', 'streaming', 'resume-socket'],
  ['paused', 'rest', 'paused'],
  ['paused', 'wake', 'paused'],
  ['paused', 'close', 'closing', ...TERMINATE],
  ['paused', 'failed', 'ended', ...FAIL],
  ['paused', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['paused', 'close-timeout', 'paused'],

  ['finishing', 'started', 'finishing'],
  ['finishing', 'finished', 'resting', 'wake-later'],
  ['finishing', 'pause', 'finishing'],
  ['finishing', 'resume', 'finishing'],
  ['finishing', 'rest', 'finishing'],
  ['finishing', 'wake', 'finishing'],
  ['finishing', 'close', 'closing', ...TERMINATE],
  ['finishing', 'failed', 'ended', ...FAIL],
  ['finishing', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['finishing', 'close-timeout', 'finishing'],

  ['resting', 'started', 'resting'],
  ['resting', 'finished', 'resting'],
  ['resting', 'pause', 'resting'],
  ['resting', 'resume', 'resting'],
  ['resting', 'rest', 'resting'],
  ['resting', 'wake', 'restarting', 'restart'],
  ['resting', 'close', 'closing', ...TERMINATE],
  ['resting', 'failed', 'ended', ...FAIL],
  ['resting', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['resting', 'close-timeout', 'resting'],

  ['restarting', 'started', 'streaming', 'report-streaming'],
  ['restarting', 'finished', 'ended', 'stop-timers', 'destroy', FINISHED],
  ['restarting', 'pause', 'restarting'],
  ['restarting', 'resume', 'restarting'],
  ['restarting', 'rest', 'restarting'],
  ['restarting', 'wake', 'restarting'],
  ['restarting', 'close', 'closing', ...TERMINATE],
  ['restarting', 'failed', 'ended', ...FAIL],
  ['restarting', 'disconnected', 'ended', 'stop-timers', 'destroy', CLOSED],
  ['restarting', 'close-timeout', 'restarting'],

  ['closing', 'started', 'closing'],
  ['closing', 'finished', 'closing'],
  ['closing', 'pause', 'closing'],
  ['closing', 'resume', 'closing'],
  ['closing', 'rest', 'closing'],
  ['closing', 'wake', 'closing'],
  ['closing', 'close', 'closing'],
  ['closing', 'failed', 'closing'],
  ['closing', 'disconnected', 'ended', 'stop-timers', undefined],
  ['closing', 'close-timeout', 'closing', 'destroy'],

  ['ended', 'started', 'ended'],
  ['ended', 'finished', 'ended'],
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
