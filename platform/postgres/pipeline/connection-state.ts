/**
 * The use of one connection by the pipeline, as a pure state machine.
 *
 *                 lent               slow
 *     requested ────────► quick ───────────► slow
 *         │                 │                  │
 *         │ refused         │ ended            │ ended
 *         ▼                 ▼                  │
 *      finished ◄─────── returning ◄───────────┘
 *               returned
 *
 * An event without an arrow changes no state.
 */
import { availableParallelism } from 'node:os';

/**
 * Quick reads request no more connections than this. They are limited by processors, and with more connections fewer of
 * them would share a batch.
 */
export const QUICK_CONNECTIONS = Math.max(4, availableParallelism());

/**
 * `requested`: the pool has not lent it yet. `quick`, `slow`: it runs a batch that is quick, or slow. `returning`: its
 * batch has ended, and the pool has not received it back yet.
 */
export type ConnectionState = 'requested' | 'quick' | 'slow' | 'returning' | 'finished';

/** `refused`: the pool could not lend it. `slow`: its batch is not quick. */
export type ConnectionEvent = 'lent' | 'refused' | 'slow' | 'ended' | 'returned';

/** Number of connections in each state but the last. */
export type ConnectionCounts = Record<Exclude<ConnectionState, 'finished'>, number>;

const TRANSITIONS: Readonly<Record<ConnectionState, Partial<Record<ConnectionEvent, ConnectionState>>>> = {
  requested: { lent: 'quick', refused: 'finished' },
  quick: { slow: 'slow', ended: 'returning' },
  slow: { ended: 'returning' },
  returning: { returned: 'finished' },
  finished: {},
};

export function connectionTransition(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  return TRANSITIONS[state][event] ?? state;
}

/**
 * Whether another connection may be requested. `isQuick`: the next read is quick. `max`: number of connections of the
 * pool.
 */
export function mayRequest(counts: Readonly<ConnectionCounts>, isQuick: boolean, max: number): boolean {
  const withoutSlow = counts.requested + counts.quick + counts.returning;
  return withoutSlow + counts.slow < max && !(isQuick && withoutSlow >= QUICK_CONNECTIONS);
}
