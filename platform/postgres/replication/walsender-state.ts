/**
 * The life cycle of one replication connection, as a pure state machine.
 *
 *                                   ┌────────┐
 *                                   │ paused │
 *                                   └─▲────┬─┘
 *                               pause │    │ resume
 *     ┌─────────┐     started     ┌───┴────▼──┐     rest     ┌───────────┐
 *     │ opening ├────────────────►│ streaming ├─────────────►│ finishing │
 *     └─────────┘                 └─────▲─────┘              └─────┬─────┘
 *                               started │                          │ finished
 *                                ┌──────┴─────┐     wake     ┌─────▼─────┐
 *                                │ restarting │◄─────────────┤  resting  │
 *                                └────────────┘              └───────────┘
 *
 *     close:        opening ──► ended; every other state ──► closing ── disconnected ──► ended
 *     failed:       every state but closing ──► ended
 *     disconnected: every state but opening ──► ended
 *     finished:     opening, streaming, paused, restarting ──► ended
 *
 * `close-timeout` in `closing` destroys the socket, which then disconnects. An event without an arrow changes nothing.
 * `disconnected` has no arrow in `opening`, because the running command then fails with a better reason. The owner repeats
 * `pause` whenever the stream has started.
 */
import type { Transition } from '@greenroom/state-machine';

/**
 * The state of a connection. `paused`: the owner wants the server to wait. `finishing`: the server was asked to end the stream,
 * but not the connection. `resting`: the server writes its log without this stream. `closing`: the server was asked to end the
 * connection.
 */
export type WalsenderState =
  | 'opening'
  | 'streaming'
  | 'paused'
  | 'finishing'
  | 'resting'
  | 'restarting'
  | 'closing'
  | 'ended';

/**
 * `started`, `finished`: the server has begun or ended the stream. `rest`: all of the log was received. `failed`: an error of the
 * connection, the server or the received data. `disconnected`: the TCP connection ended.
 */
export type WalsenderEvent =
  | { type: 'started' | 'finished' | 'pause' | 'resume' | 'rest' | 'wake' }
  | { type: 'close' | 'disconnected' | 'close-timeout' }
  | { type: 'failed'; reason: Error };

/**
 * `finish` asks the server to end the stream, `terminate` to end the connection; `destroy` ends it from this side.
 */
export type WalsenderEffect =
  | { type: 'start-status' | 'stop-timers' | 'pause-socket' | 'resume-socket' | 'terminate' | 'destroy' }
  | { type: 'finish' | 'wake-later' | 'restart' }
  | { type: 'report-streaming' }
  | { type: 'report-ended'; reason: Error | undefined };

type Result = Transition<WalsenderState, WalsenderEffect>;
type OpenState = Exclude<WalsenderState, 'opening' | 'closing' | 'ended'>;

/** Returns the next state and the effects of an event. */
export function walsenderTransition(state: WalsenderState, event: WalsenderEvent): Result {
  switch (state) {
    case 'opening':
      return whileOpening(event);
    case 'closing':
      return whileClosing(event);
    case 'ended':
      return { next: 'ended', effects: [] };
    default:
      return whileOpen(state, event);
  }
}

function whileOpening(event: WalsenderEvent): Result {
  switch (event.type) {
    case 'started':
      return { next: 'streaming', effects: [{ type: 'start-status' }, { type: 'report-streaming' }] };
    case 'finished':
      return ended(finished(), { type: 'destroy' });
    case 'failed':
      return ended(event.reason, { type: 'destroy' });
    case 'close':
      return ended(undefined, { type: 'destroy' });
    default:
      return { next: 'opening', effects: [] };
  }
}

function whileOpen(state: OpenState, event: WalsenderEvent): Result {
  switch (event.type) {
    case 'close':
      // A paused socket would not notice that the server has closed its side.
      return {
        next: 'closing',
        effects: [{ type: 'stop-timers' }, { type: 'resume-socket' }, { type: 'terminate' }],
      };
    case 'failed':
      return ended(event.reason, { type: 'destroy' });
    case 'disconnected':
      return ended(new Error('the connection was closed'), { type: 'destroy' });
    default:
      return betweenStates(state, event.type);
  }
}

function betweenStates(state: OpenState, event: Exclude<WalsenderEvent['type'], 'failed'>): Result {
  switch (`${state} ${event}` as const) {
    case 'streaming pause':
      return { next: 'paused', effects: [{ type: 'pause-socket' }] };
    case 'paused resume':
      return { next: 'streaming', effects: [{ type: 'resume-socket' }] };
    case 'streaming rest':
      return { next: 'finishing', effects: [{ type: 'finish' }] };
    case 'finishing finished':
      return { next: 'resting', effects: [{ type: 'wake-later' }] };
    case 'resting wake':
      return { next: 'restarting', effects: [{ type: 'restart' }] };
    case 'restarting started':
      return { next: 'streaming', effects: [{ type: 'report-streaming' }] };
    case 'streaming finished':
    case 'paused finished':
    case 'restarting finished':
      return ended(finished(), { type: 'destroy' });
    default:
      return { next: state, effects: [] };
  }
}

function whileClosing(event: WalsenderEvent): Result {
  switch (event.type) {
    case 'close-timeout':
      return { next: 'closing', effects: [{ type: 'destroy' }] };
    case 'disconnected':
      return ended(undefined);
    default:
      return { next: 'closing', effects: [] };
  }
}

function ended(reason: Error | undefined, ...first: WalsenderEffect[]): Result {
  return { next: 'ended', effects: [{ type: 'stop-timers' }, ...first, { type: 'report-ended', reason }] };
}

function finished(): Error {
  return new Error('the server has ended the stream');
}
