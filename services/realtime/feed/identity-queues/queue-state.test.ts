import { describe, expect, it } from 'vitest';
import { type QueueEvent, type QueueState, queueTransition } from './queue-state.ts';

const ERROR = new Error('of the check');
const STATES: readonly QueueState[] = ['idle', 'checking', 'last-attempt'];
const EVENTS: Readonly<Record<QueueEvent['type'], QueueEvent>> = {
  added: { type: 'added' },
  drop: { type: 'drop' },
  delivered: { type: 'delivered' },
  'timed-out': { type: 'timed-out', error: ERROR },
  failed: { type: 'failed', error: ERROR },
};

const DONE = ['settle', 'continue'] as const;

/** Effects by name; `report-dropped` is written as its error. */
type Row = readonly [
  state: QueueState,
  event: QueueEvent['type'],
  next: QueueState,
  ...effects: (string | Error)[],
];
const TABLE: readonly Row[] = [
  ['idle', 'added', 'checking', 'begin', 'check'],
  ['idle', 'drop', 'idle'],
  ['idle', 'delivered', 'idle'],
  ['idle', 'timed-out', 'idle'],
  ['idle', 'failed', 'idle'],

  ['checking', 'added', 'checking'],
  ['checking', 'drop', 'last-attempt'],
  ['checking', 'delivered', 'idle', ...DONE],
  ['checking', 'timed-out', 'checking', 'check'],
  ['checking', 'failed', 'idle', ERROR, ...DONE],

  ['last-attempt', 'added', 'last-attempt'],
  ['last-attempt', 'drop', 'last-attempt'],
  ['last-attempt', 'delivered', 'idle', ...DONE],
  ['last-attempt', 'timed-out', 'idle', ERROR, ...DONE],
  ['last-attempt', 'failed', 'idle', ERROR, ...DONE],
];

describe('the life cycle of an identity queue', () => {
  it.for(TABLE)('in state %s, %s leads to %s', ([state, event, next, ...effects]) => {
    const expected = effects.map((effect) =>
      typeof effect === 'string' ? { type: effect } : { type: 'report-dropped', error: effect },
    );
    expect(queueTransition(state, EVENTS[event])).toEqual({ next, effects: expected });
  });

  it('has a test for every state and event', () => {
    const pairs = STATES.flatMap((state) => Object.keys(EVENTS).map((event) => `${state} ${event}`));
    expect(TABLE.map(([state, event]) => `${state} ${event}`)).toEqual(pairs);
  });

  it('settles each batch once', () => {
    for (const [state, , next, ...effects] of TABLE) {
      expect(effects.includes('settle')).toBe(state !== 'idle' && next === 'idle');
    }
  });
});
