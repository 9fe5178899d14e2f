/**
 * The states of an upload, as a pure state machine.
 *
 *     waiting ────── started ──────► running ────── done ──────► done
 *
 *     waiting, running ──────────── failed ───────────────► failed
 *     running ───────────────────── disconnected ─────────► offline
 *     waiting, running, offline ─── paused ───────────────► paused
 *     paused, offline, failed ───── resumed ──────────────► waiting
 *     every state ───────────────── cancelled, dropped ───► removed
 *
 * An event without an arrow changes no state.
 */

/** `offline`: it waits for another attempt. */
export type UploadState = 'waiting' | 'running' | 'paused' | 'offline' | 'failed' | 'done' | 'removed';

/**
 * - `started`, `failed`, `disconnected` (no response from the server), `done`: from the queue and the transfer.
 * - `paused`, `resumed`, `cancelled`: from the user. `resumed` also follows a pause after a disconnection.
 * - `dropped`: the owner has signed out.
 */
export type UploadEvent =
  | 'started'
  | 'failed'
  | 'disconnected'
  | 'done'
  | 'paused'
  | 'resumed'
  | 'cancelled'
  | 'dropped';

/**
 * - `send`: the transfer starts. `stop`: it ends, and uploaded parts are kept. `revoke`: it ends, and uploaded parts
 *   are deleted.
 * - `discard`: deletes the parts of an upload that is not running.
 * - `retry-later`: schedules another attempt.
 * - `announce`: the folder has a new file.
 */
export type UploadEffect = 'send' | 'stop' | 'revoke' | 'discard' | 'retry-later' | 'announce';

/** The next state, and the effect of the event, if it has one. */
type Transition = readonly [next: UploadState, effect?: UploadEffect];

const REMOVED: Transition = ['removed'];
const DISCARDED: Transition = ['removed', 'discard'];
const WAITING: Transition = ['waiting'];
const PAUSED: Transition = ['paused'];

const TRANSITIONS: Readonly<Record<UploadState, Partial<Record<UploadEvent, Transition>>>> = {
  waiting: {
    started: ['running', 'send'],
    failed: ['failed'],
    paused: PAUSED,
    cancelled: REMOVED,
    dropped: REMOVED,
  },
  running: {
    failed: ['failed'],
    disconnected: ['offline', 'retry-later'],
    done: ['done', 'announce'],
    paused: ['paused', 'stop'],
    cancelled: ['removed', 'revoke'],
    dropped: ['removed', 'stop'],
  },
  paused: { resumed: WAITING, cancelled: DISCARDED, dropped: REMOVED },
  offline: { paused: PAUSED, resumed: WAITING, cancelled: DISCARDED, dropped: REMOVED },
  failed: { resumed: WAITING, cancelled: REMOVED, dropped: REMOVED },
  done: { cancelled: REMOVED, dropped: REMOVED },
  removed: {},
};

/** Returns the next state and the effect of an event. */
export function uploadTransition(state: UploadState, event: UploadEvent): Transition {
  return TRANSITIONS[state][event] ?? [state];
}
