/** The life cycle of the run of one open query, as a pure transition function. */
import type { RunAnswer, RunEnding } from './run-answer.ts';
import type { RunMode } from './run-form.ts';

/** The SQL of a run, and its place in the editor. */
export interface RunOrigin {
  sql: string;
  /** Offset of the SQL in the text of the editor. */
  offset: number;
  mode: RunMode;
}

/** Reasons for which a run has no result. */
type RunProblem = 'lost' | 'gone' | 'offline' | 'session' | 'tooLarge';

/** The state of the run. */
export type RunState =
  | { kind: 'idle' }
  | {
      kind: 'running';
      id: string;
      origin: RunOrigin;
      /** Milliseconds since 1970. */
      startedAt: number;
      isCancelling: boolean;
      /** Whether the server does not respond; the run goes on. */
      isDisconnected: boolean;
      /** Number of answers in sequence that did not find the run. */
      missed: number;
    }
  | { kind: 'ended'; id: string; origin: RunOrigin; ending: RunEnding }
  | { kind: 'unknown'; id: string; origin: RunOrigin; problem: RunProblem };

/** An event of the run. Those with an id of another run have no effect. */
export type RunEvent =
  | { type: 'start'; id: string; origin: RunOrigin; now: number }
  | { type: 'answer'; answer: RunAnswer }
  | { type: 'cancel'; id: string }
  | { type: 'disconnect'; id: string }
  | { type: 'fail'; id: string; problem: RunProblem }
  | { type: 'refuse'; id: string; code: string; message: string };

/** Another process may have ended the run a moment before it stores the result. */
export const MAX_MISSED = 3;

/** Returns the state after an event. */
export function nextRunState(state: RunState, event: RunEvent): RunState {
  if (event.type === 'start') {
    const { id, origin, now } = event;
    return {
      kind: 'running',
      id,
      origin,
      startedAt: now,
      isCancelling: false,
      isDisconnected: false,
      missed: 0,
    };
  }
  const id = event.type === 'answer' ? event.answer.id : event.id;
  if (state.kind !== 'running' || state.id !== id) return state;
  const { origin } = state;
  switch (event.type) {
    case 'answer':
      return afterAnswer(state, event.answer);
    case 'cancel':
      return { ...state, isCancelling: true };
    case 'disconnect':
      return { ...state, isDisconnected: true };
    case 'fail':
      return { kind: 'unknown', id, origin, problem: event.problem };
    case 'refuse':
      return {
        kind: 'ended',
        id,
        origin,
        ending: { kind: 'refused', code: event.code, message: event.message },
      };
  }
}

function afterAnswer(state: Extract<RunState, { kind: 'running' }>, answer: RunAnswer): RunState {
  const { id, origin } = state;
  switch (answer.state) {
    case 'running':
      return { ...state, isDisconnected: false, missed: 0 };
    case 'finished':
      return { kind: 'ended', id, origin, ending: answer.ending };
    case 'gone':
      return { kind: 'unknown', id, origin, problem: 'gone' };
    case 'lost':
      return state.missed + 1 < MAX_MISSED
        ? { ...state, isDisconnected: false, missed: state.missed + 1 }
        : { kind: 'unknown', id, origin, problem: 'lost' };
  }
}
