/**
 * The life cycle of a log shipper, as a pure state machine. The connection to the server and the archive fail
 * independently.
 *
 *     connection     streaming                 full
 *     connecting ──────────────► streaming ──────────────► suspended
 *        ▲ ▲                         │                         │
 *        │ └────────── lost ─────────┘                         │
 *        └───────────────────── drained ───────────────────────┘
 *
 *     stop: connecting, streaming ──► stopped      close: every state ──► closed
 *
 *     archive        put-failed
 *     reachable ◄──────────────► away
 *                    put-done
 *
 * `suspended`: the archive does not store the log as fast as it is received. The connection is closed then: a server whose
 * client does not read cannot end the connection, and its checkpoints wait for that when they remove the slot.
 * `stopped`: this log cannot be continued in the archive, because the cluster is another one. An event without an arrow
 * changes nothing.
 */
import type { Transition } from '@greenroom/state-machine';

/** The state of a shipper. */
export interface ShipperState {
  readonly connection: 'connecting' | 'streaming' | 'suspended' | 'stopped' | 'closed';
  readonly archive: 'reachable' | 'away';
}

/** Events of the connection to the server. `full` and `drained`: received log waits for the archive. */
type ConnectionEvent = { type: 'streaming' | 'full' | 'drained' } | { type: 'lost' | 'stop'; reason: Error };

/** Events of the connection, of writes to the archive, and of the owner. */
export type ShipperEvent =
  | ConnectionEvent
  | { type: 'close' | 'put-done' }
  | { type: 'put-failed'; reason: Error };

/** Effects of events. `report-…` inform the owner once for each change. */
export type ShipperEffect =
  | { type: 'disconnect' | 'connect' | 'close-stream' | 'report-streaming' | 'report-reachable' }
  | { type: 'report-lost' | 'report-away' | 'report-stopped'; reason: Error };

type Result = Transition<ShipperState, ShipperEffect>;

export const INITIAL_STATE: ShipperState = { connection: 'connecting', archive: 'reachable' };

/** Returns the next state and the effects of an event. */
export function shipperTransition(state: ShipperState, event: ShipperEvent): Result {
  if (state.connection === 'closed') return { next: state, effects: [] };
  switch (event.type) {
    case 'close':
      return { next: { ...state, connection: 'closed' }, effects: [{ type: 'close-stream' }] };
    case 'put-failed':
      if (state.archive === 'away') return { next: state, effects: [] };
      return {
        next: { ...state, archive: 'away' },
        effects: [{ type: 'report-away', reason: event.reason }],
      };
    case 'put-done':
      if (state.archive === 'reachable') return { next: state, effects: [] };
      return { next: { ...state, archive: 'reachable' }, effects: [{ type: 'report-reachable' }] };
    default:
      return whileOpen(state, event);
  }
}

function whileOpen(state: ShipperState, event: ConnectionEvent): Result {
  const to = (connection: ShipperState['connection'], ...effects: ShipperEffect[]): Result => ({
    next: { ...state, connection },
    effects,
  });
  switch (state.connection) {
    case 'connecting':
    case 'streaming':
      return whileConnected(state.connection, event, to);
    case 'suspended':
      return event.type === 'drained' ? to('connecting', { type: 'connect' }) : to('suspended');
    default:
      return to(state.connection);
  }
}

function whileConnected(
  connection: 'connecting' | 'streaming',
  event: ConnectionEvent,
  to: (connection: ShipperState['connection'], ...effects: ShipperEffect[]) => Result,
): Result {
  switch (event.type) {
    case 'streaming':
      return connection === 'streaming' ? to('streaming') : to('streaming', { type: 'report-streaming' });
    case 'full':
      return to('suspended', { type: 'disconnect' });
    case 'lost':
      return to('connecting', { type: 'report-lost', reason: event.reason });
    case 'stop':
      return to('stopped', { type: 'disconnect' }, { type: 'report-stopped', reason: event.reason });
    case 'drained':
      return to(connection);
  }
}
