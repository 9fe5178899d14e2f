/**
 * The life cycle of the agent's process, as a pure state machine.
 *
 *     start         exited              elapsed
 *     idle ──► running ──────► pausing ─────────► running
 *                 │ close         │ close
 *                 ▼               ▼
 *              closing ──────► closed
 *                      exited
 *
 * A process that ends unexpectedly is started again after a pause, which grows with the number of failures. An event without
 * an arrow changes nothing.
 */
import type { Transition } from '@greenroom/state-machine';

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** The state of the process. */
export interface ProcessState {
  readonly kind: 'idle' | 'running' | 'pausing' | 'closing' | 'closed';
  /** Unexpected ends since a process worked. */
  readonly failures: number;
}

/** Events of the owner, of the process, and of timers. `worked`: the process runs for a while without an end. */
export type ProcessEvent = 'start' | 'exited' | 'elapsed' | 'worked' | 'close';

/** `request-close` asks the process to store the rest and to exit. */
export type ProcessEffect = { type: 'spawn' | 'request-close' } | { type: 'pause'; ms: number };

export const INITIAL_PROCESS: ProcessState = { kind: 'idle', failures: 0 };

type Result = Transition<ProcessState, ProcessEffect>;

/** Returns the next state and the effects of an event. */
export function processTransition(state: ProcessState, event: ProcessEvent): Result {
  const { kind, failures } = state;
  const to = (next: ProcessState['kind'], ...effects: ProcessEffect[]): Result => ({
    next: { kind: next, failures },
    effects,
  });
  if (kind === 'idle' && event === 'start') return to('running', { type: 'spawn' });
  if (kind === 'running' && event === 'exited') {
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    return { next: { kind: 'pausing', failures: failures + 1 }, effects: [{ type: 'pause', ms }] };
  }
  if (kind === 'running' && event === 'worked') return { next: { kind, failures: 0 }, effects: [] };
  if (kind === 'running' && event === 'close') return to('closing', { type: 'request-close' });
  if (kind === 'pausing' && event === 'elapsed') return to('running', { type: 'spawn' });
  if (event === 'close' && (kind === 'idle' || kind === 'pausing')) return to('closed');
  if (kind === 'closing' && event === 'exited') return to('closed');
  return to(kind);
}
