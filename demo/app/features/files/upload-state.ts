/**
 * The states of an upload, as a pure state machine.
 *
 *     queued ─────── started ──────► running ────── done ──────► done
 *
 *     queued, running ───────────── failed ───────────────► failed
 *     running ───────────────────── disconnected ─────────► offline
 *     queued, running, offline ──── paused ───────────────► paused
 *     paused, offline, failed ───── resumed ──────────────► queued
 *     every state ───────────────── cancelled, signed-out ► removed
 *
 * An event without an arrow changes no state.
 */

/** `offline`: disconnected, and waiting for another attempt. */
export type UploadState = 'queued' | 'running' | 'paused' | 'offline' | 'failed' | 'done' | 'removed';

/**
 * - `started`, `failed`, `disconnected` (no response from the server), `done`: from the queue and the transfer.
 * - `paused`, `resumed`, `cancelled`: from the user. `resumed` also comes from the queue, as a retry.
 * - `signed-out`: the owner has signed out.
 */
export type UploadEvent =
  | 'started'
  | 'failed'
  | 'disconnected'
  | 'done'
  | 'paused'
  | 'resumed'
  | 'cancelled'
  | 'signed-out';

/**
 * - `start`: starts the transfer.
 * - `stop`: stops the transfer, and keeps uploaded parts.
 * - `abort`: stops the transfer, and deletes uploaded parts.
 * - `delete-parts`: deletes the uploaded parts of an upload that is not running.
 * - `retry-later`: schedules another attempt.
 * - `notify`: notifies subscribers that the folder has a new file.
 */
export type UploadEffect = 'start' | 'stop' | 'abort' | 'delete-parts' | 'retry-later' | 'notify';

/** The next state, and the effect of the event, if it has one. */
type Transition = readonly [next: UploadState, effect?: UploadEffect];

const REMOVED: Transition = ['removed'];
const REMOVED_WITH_PARTS: Transition = ['removed', 'delete-parts'];
const QUEUED: Transition = ['queued'];
const PAUSED: Transition = ['paused'];

const TRANSITIONS: Readonly<Record<UploadState, Partial<Record<UploadEvent, Transition>>>> = {
  queued: {
    started: ['running', 'start'],
    failed: ['failed'],
    paused: PAUSED,
    cancelled: REMOVED,
    'signed-out': REMOVED,
  },
  running: {
    failed: ['failed'],
    disconnected: ['offline', 'retry-later'],
    done: ['done', 'notify'],
    paused: ['paused', 'stop'],
    cancelled: ['removed', 'abort'],
    'signed-out': ['removed', 'stop'],
  },
  paused: { resumed: QUEUED, cancelled: REMOVED_WITH_PARTS, 'signed-out': REMOVED },
  offline: { paused: PAUSED, resumed: QUEUED, cancelled: REMOVED_WITH_PARTS, 'signed-out': REMOVED },
  failed: { resumed: QUEUED, cancelled: REMOVED, 'signed-out': REMOVED },
  done: { cancelled: REMOVED, 'signed-out': REMOVED },
  removed: {},
};

/** Returns the next state and the effect of an event. */
export function uploadTransition(state: UploadState, event: UploadEvent): Transition {
  return TRANSITIONS[state][event] ?? [state];
}
