/**
 * The life cycle of a stream over many connections, as a pure state machine. A connection is opened only after the
 * previous one has ended.
 *
 *                 opened                restart
 *     opening ────────────► streaming ───────────► restarting
 *      ▲ ▲ │                   │                       │
 *      │ │ │ ended             │ ended                 │ ended
 *      │ │ ▼                   ▼                       │
 *      │ └──── waiting ◄───────┴───────────────────────┘
 *      │ retry    │
 *      │          │ disconnect
 *      │ connect  ▼          ended              disconnect
 *      ├──── disconnected ◄───────── stopping ◄──────────── opening, streaming, restarting
 *      │                              │    ▲
 *      │ ended                connect ▼    │ disconnect
 *      └─────────────────────────── reconnecting
 *
 *     close: waiting, disconnected ──► closed; every other state ──► closing ── ended ──► closed
 *
 * An event without an arrow changes nothing.
 */
import type { Transition } from '@greenroom/state-machine';

/**
 * The state of a stream. In `restarting`, `stopping`, `reconnecting` and `closing` it waits for the end of the
 * connection that it has closed. Then it opens another one after a delay, stays disconnected, opens another one at
 * once, or stays closed, respectively.
 */
export type StreamState =
  | 'opening'
  | 'streaming'
  | 'waiting'
  | 'disconnected'
  | 'restarting'
  | 'stopping'
  | 'reconnecting'
  | 'closing'
  | 'closed';

/** `opened` and `ended` come from the connection, `retry` from the timer, the others from the owner of the stream. */
export type StreamEvent =
  | { type: 'opened' | 'retry' | 'restart' | 'disconnect' | 'connect' | 'close' }
  | { type: 'ended'; reason: Error | undefined };

/** Effects of events, which the stream carries out. */
export type StreamEffect =
  | { type: 'open' | 'close-connection' | 'cancel-retry' | 'report-streaming' }
  | { type: 'retry-later'; reason: Error };

type Result = Transition<StreamState, StreamEffect>;

/** Returns the next state and the effects of an event. */
export function streamTransition(state: StreamState, event: StreamEvent): Result {
  switch (state) {
    case 'opening':
    case 'streaming':
      return whileConnected(state, event);
    case 'waiting':
      return whileWaiting(event);
    case 'disconnected':
      return whileDisconnected(event);
    case 'closed':
      return to('closed');
    default:
      return whileDisconnecting(state, event);
  }
}

function whileConnected(state: 'opening' | 'streaming', event: StreamEvent): Result {
  switch (event.type) {
    case 'opened':
      return to('streaming', ...(state === 'opening' ? [{ type: 'report-streaming' } as const] : []));
    case 'ended':
      return waiting(event.reason);
    case 'restart':
      return state === 'opening' ? to('opening') : to('restarting', { type: 'close-connection' });
    case 'disconnect':
      return to('stopping', { type: 'close-connection' });
    case 'close':
      return to('closing', { type: 'close-connection' });
    default:
      return to(state);
  }
}

function whileWaiting({ type }: StreamEvent): Result {
  switch (type) {
    case 'retry':
      return to('opening', { type: 'open' });
    case 'disconnect':
      return to('disconnected', { type: 'cancel-retry' });
    case 'close':
      return to('closed', { type: 'cancel-retry' });
    default:
      return to('waiting');
  }
}

function whileDisconnected({ type }: StreamEvent): Result {
  switch (type) {
    case 'connect':
      return to('opening', { type: 'open' });
    case 'close':
      return to('closed');
    default:
      return to('disconnected');
  }
}

type Disconnecting = 'restarting' | 'stopping' | 'reconnecting' | 'closing';

function whileDisconnecting(state: Disconnecting, event: StreamEvent): Result {
  if (event.type === 'ended') return afterDisconnecting(state, event.reason);
  if (event.type === 'close') return to('closing');
  if (state === 'closing') return to(state);
  if (event.type === 'disconnect') return to('stopping');
  return to(state === 'stopping' && event.type === 'connect' ? 'reconnecting' : state);
}

function afterDisconnecting(state: Disconnecting, reason: Error | undefined): Result {
  switch (state) {
    case 'restarting':
      return waiting(reason);
    case 'stopping':
      return to('disconnected');
    case 'reconnecting':
      return to('opening', { type: 'open' });
    case 'closing':
      return to('closed');
  }
}

function waiting(reason = new Error('the connection was closed in order to reconnect')): Result {
  return to('waiting', { type: 'retry-later', reason });
}

function to(next: StreamState, ...effects: StreamEffect[]): Result {
  return { next, effects };
}
