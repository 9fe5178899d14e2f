/**
 * The life cycle of one replication connection, as a pure state machine.
 *
 *                         ┌───────────┐  pause
 *                         │  resting  ├─────────────┐
 *                         └──▲─────┬──┘             │
 *                       rest │     │ wake           │
 *     ┌─────────┐ started ┌──┴─────▼──┐  pause  ┌───▼────┐
 *     │ opening ├────────►│ streaming ├────────►│ paused │
 *     └────┬────┘         └─┬───┬─────┘◄────────┴─┬────┬─┘
 *          │                │   │        resume   │    │
 *          │ close,         │   └─────┬───────────┘    │
 *          │ failed         │         │ close          │
 *          │                │    ┌────▼────┐           │
 *          │         failed,│    │ closing │           │ failed,
 *          │   disconnected │    └────┬────┘           │ disconnected
 *          │                │         │ disconnected   │
 *     ┌────▼────────────────▼─────────▼────────────────▼─┐
 *     │                      ended                       │
 *     └──────────────────────────────────────────────────┘
 *
 * `close`, `failed` and `disconnected` lead from `resting` to the same states as from `paused`. `close-timeout` in `closing`
 * destroys the socket, which then disconnects. An event without an arrow changes nothing. `disconnected` has no arrow in
 * `opening`, because the running command then fails with a better reason.
 */
import type { Transition } from '@greenroom/state-machine';

/**
 * The state of a connection. `paused`: the owner wants the server to wait. `resting`: the log gathers in the socket for a moment.
 * `closing`: the server was asked to end the connection.
 */
export type WalsenderState = 'opening' | 'streaming' | 'resting' | 'paused' | 'closing' | 'ended';

/** `failed`: an error of the connection, the server or the received data. `disconnected`: the TCP connection ended. */
export type WalsenderEvent =
  | { type: 'started' | 'pause' | 'resume' | 'rest' | 'wake' | 'close' | 'disconnected' | 'close-timeout' }
  | { type: 'failed'; reason: Error };

/** `terminate` asks the server to end the connection, `destroy` ends it from this side. */
export type WalsenderEffect =
  | { type: 'start-status' | 'stop-timers' | 'pause-socket' | 'resume-socket' | 'terminate' | 'destroy' }
  | { type: 'wake-later' }
  | { type: 'report-streaming' }
  | { type: 'report-ended'; reason: Error | undefined };

type Result = Transition<WalsenderState, WalsenderEffect>;

/** Returns the next state and the effects of an event. */
export function walsenderTransition(state: WalsenderState, event: WalsenderEvent): Result {
  switch (state) {
    case 'opening':
      return whileOpening(event);
    case 'streaming':
    case 'resting':
    case 'paused':
      return whileStreaming(state, event);
    case 'closing':
      return whileClosing(event);
    case 'ended':
      return { next: 'ended', effects: [] };
  }
}

function whileOpening(event: WalsenderEvent): Result {
  switch (event.type) {
    case 'started':
      return { next: 'streaming', effects: [{ type: 'start-status' }, { type: 'report-streaming' }] };
    case 'failed':
      return ended(event.reason, { type: 'destroy' });
    case 'close':
      return ended(undefined, { type: 'destroy' });
    default:
      return { next: 'opening', effects: [] };
  }
}

function whileStreaming(state: 'streaming' | 'resting' | 'paused', event: WalsenderEvent): Result {
  switch (event.type) {
    case 'pause':
      return { next: 'paused', effects: state === 'streaming' ? [{ type: 'pause-socket' }] : [] };
    case 'rest':
      if (state !== 'streaming') return { next: state, effects: [] };
      return { next: 'resting', effects: [{ type: 'pause-socket' }, { type: 'wake-later' }] };
    case 'resume':
      return resumed(state, 'paused');
    case 'wake':
      return resumed(state, 'resting');
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
      return { next: state, effects: [] };
  }
}

/** Reads again if the connection is in the state that the event ends. */
function resumed(state: 'streaming' | 'resting' | 'paused', from: 'resting' | 'paused'): Result {
  if (state !== from) return { next: state, effects: [] };
  return { next: 'streaming', effects: [{ type: 'resume-socket' }] };
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
