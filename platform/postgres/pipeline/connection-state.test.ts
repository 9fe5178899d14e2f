import { describe, expect, it } from 'vitest';
import {
  type ConnectionEvent,
  type ConnectionState,
  connectionTransition,
  mayRequest,
  QUICK_CONNECTIONS,
} from './connection-state.ts';

const STATES: readonly ConnectionState[] = ['requested', 'quick', 'slow', 'returning', 'finished'];
const EVENTS: readonly ConnectionEvent[] = ['lent', 'refused', 'slow', 'ended', 'returned'];

const TABLE: readonly (readonly [ConnectionState, ConnectionEvent, ConnectionState])[] = [
  ['requested', 'lent', 'quick'],
  ['requested', 'refused', 'finished'],
  ['requested', 'slow', 'requested'],
  ['requested', 'ended', 'requested'],
  ['requested', 'returned', 'requested'],

  ['quick', 'lent', 'quick'],
  ['quick', 'refused', 'quick'],
  ['quick', 'slow', 'slow'],
  ['quick', 'ended', 'returning'],
  ['quick', 'returned', 'quick'],

  ['slow', 'lent', 'slow'],
  ['slow', 'refused', 'slow'],
  ['slow', 'slow', 'slow'],
  ['slow', 'ended', 'returning'],
  ['slow', 'returned', 'slow'],

  ['returning', 'lent', 'returning'],
  ['returning', 'refused', 'returning'],
  ['returning', 'slow', 'returning'],
  ['returning', 'ended', 'returning'],
  ['returning', 'returned', 'finished'],

  ['finished', 'lent', 'finished'],
  ['finished', 'refused', 'finished'],
  ['finished', 'slow', 'finished'],
  ['finished', 'ended', 'finished'],
  ['finished', 'returned', 'finished'],
];

describe('the use of a connection', () => {
  it.for(TABLE)('in state %s, %s leads to %s', ([state, event, next]) => {
    expect(connectionTransition(state, event)).toBe(next);
  });

  it('is tested in every state with every event', () => {
    const pairs = STATES.flatMap((state) => EVENTS.map((event) => `${state} ${event}`));
    expect(TABLE.map(([state, event]) => `${state} ${event}`)).toEqual(pairs);
  });
});

describe('another connection', () => {
  const none = { requested: 0, quick: 0, slow: 0, returning: 0 };
  const MAX = QUICK_CONNECTIONS + 2;

  it.for([
    ['quick', none, true],
    ['slow', none, true],
    ['quick', { ...none, requested: QUICK_CONNECTIONS - 1 }, true],
    ['quick', { ...none, requested: QUICK_CONNECTIONS }, false],
    ['quick', { ...none, requested: 1, quick: QUICK_CONNECTIONS - 2, returning: 1 }, false],
    ['slow', { ...none, quick: QUICK_CONNECTIONS }, true],
    ['quick', { ...none, quick: QUICK_CONNECTIONS - 1, slow: 2 }, true],
    ['quick', { ...none, quick: QUICK_CONNECTIONS - 1, slow: 3 }, false],
    ['slow', { ...none, slow: MAX - 1 }, true],
    ['slow', { ...none, slow: MAX }, false],
    ['slow', { ...none, requested: 1, returning: 1, quick: 1, slow: MAX - 3 }, false],
  ] as const)('is requested for a %s read with %j: %s', ([kind, counts, isAllowed]) => {
    expect(mayRequest(counts, kind === 'quick', MAX)).toBe(isAllowed);
  });
});
