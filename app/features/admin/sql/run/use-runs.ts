/** The runs of the open queries: starts them, follows them until they end, and cancels them. */
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { usePath } from '../use-path.ts';
import type { RunAnswer } from './run-answer.ts';
import type { RunSettings } from './run-form.ts';
import { MAX_MISSED, nextRunState, type RunEvent, type RunOrigin, type RunState } from './run-state.ts';
import { ApiError, getJson, postForm } from './sql-api.ts';

/** Runs by the id of their query. */
type Runs = ReadonlyMap<string, RunState>;

/** The runs, and how to change them. */
export interface RunActions {
  stateOf(draftId: string): RunState;
  start(draftId: string, origin: RunOrigin, settings: RunSettings): void;
  /** Follows a run that was started earlier. */
  follow(draftId: string, run: { id: string; origin: RunOrigin; startedAt: number }): void;
  /** Cancels the run of a query. Returns whether one is running. */
  cancel(draftId: string): boolean;
}

const IDLE: RunState = { kind: 'idle' };
const POLL_MS = [300, 500, 800, 1200, 2000] as const;
const SLOWEST_POLL_MS = 2000;

/** Follows runs until the page is left; the server continues them then. */
export function useRuns(): RunActions {
  const path = usePath();
  const [runs, dispatch] = useReducer(reduceRuns, new Map() as Runs);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const poll = useCallback(
    async (draftId: string, id: string) => {
      const send = (event: RunEvent) => dispatch({ draftId, event });
      for (let attempt = 0, missed = 0; missed < MAX_MISSED; attempt++) {
        await wait(POLL_MS[attempt] ?? SLOWEST_POLL_MS);
        const signal = leaving.current?.signal;
        if (signal?.aborted) return;
        const event = await requestState(path(`/admin/sql/run?id=${id}`), id, signal);
        send(event);
        const state = event.type === 'answer' ? event.answer.state : event.type;
        if (!['running', 'lost', 'disconnect'].includes(state)) return;
        missed = state === 'lost' ? missed + 1 : 0;
      }
    },
    [path],
  );

  const start = useCallback(
    async (draftId: string, origin: RunOrigin, settings: RunSettings) => {
      const id = crypto.randomUUID();
      const send = (event: RunEvent) => dispatch({ draftId, event });
      send({ type: 'start', id, origin, now: Date.now() });
      try {
        const answer = await postForm<RunAnswer>(path('/admin/sql/run'), fieldsOf(id, origin, settings));
        send({ type: 'answer', answer });
        if (answer.state === 'running') await poll(draftId, id);
      } catch (error) {
        const event = failureOf(id, error);
        send(event);
        // The run may have begun before the connection was lost.
        if (event.type === 'disconnect') await poll(draftId, id);
      }
    },
    [path, poll],
  );

  const follow = useCallback<RunActions['follow']>(
    (draftId, { id, origin, startedAt }) => {
      dispatch({ draftId, event: { type: 'start', id, origin, now: startedAt } });
      void poll(draftId, id);
    },
    [poll],
  );

  const stateOf = (draftId: string) => runs.get(draftId) ?? IDLE;
  const cancel = (draftId: string) => {
    const state = stateOf(draftId);
    if (state.kind !== 'running') return false;
    dispatch({ draftId, event: { type: 'cancel', id: state.id } });
    // Without a connection the run goes on, and the button stays.
    postForm(path('/admin/sql/runs'), { intent: 'cancel', id: state.id }).catch(() => undefined);
    return true;
  };
  return { stateOf, start: (...run) => void start(...run), follow, cancel };
}

async function requestState(url: string, id: string, signal: AbortSignal | undefined): Promise<RunEvent> {
  try {
    return { type: 'answer', answer: await getJson<RunAnswer>(url, signal) };
  } catch (error) {
    const event = failureOf(id, error);
    const isUnknown = error instanceof ApiError && error.code === 'run_not_found';
    return isUnknown ? { type: 'fail', id, problem: 'offline' } : event;
  }
}

function failureOf(id: string, error: unknown): RunEvent {
  if (!(error instanceof ApiError) || error.kind === 'offline') return { type: 'disconnect', id };
  if (error.kind === 'session') return { type: 'fail', id, problem: 'session' };
  if (error.code === 'form_too_large') return { type: 'fail', id, problem: 'tooLarge' };
  return { type: 'refuse', id, code: error.code, message: error.message };
}

function fieldsOf(id: string, { sql, mode }: RunOrigin, settings: RunSettings): Record<string, string> {
  const { role, claims, isReadOnly, writesMigration, timeoutS, maxRows } = settings;
  return {
    id,
    sql,
    mode,
    role,
    claims,
    'read-only': isReadOnly ? 'on' : '',
    migration: writesMigration ? 'on' : '',
    timeout: String(timeoutS),
    rows: String(maxRows),
  };
}

function reduceRuns(runs: Runs, { draftId, event }: { draftId: string; event: RunEvent }): Runs {
  const before = runs.get(draftId) ?? IDLE;
  const after = nextRunState(before, event);
  return after === before ? runs : new Map(runs).set(draftId, after);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
