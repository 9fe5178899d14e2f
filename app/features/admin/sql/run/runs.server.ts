/**
 * Runs SQL for an administrator. A run that takes longer than a moment goes on when the page is left: the history keeps its
 * result, and any process of the instance can return it.
 */
import { resolveWithin } from '../../../../lib/maybe-promise.ts';
import { type MetaClient, MetaError, type RunResult } from '../../../../session/meta-client.server.ts';
import { audited } from '../../shared/as-admin.server.ts';
import { explainSql } from './explain-sql.ts';
import type { RunAnswer, RunEnding } from './run-answer.ts';
import type { RunForm } from './run-form.ts';
import { requireSchemaChanges, runMigration, schemaChangeOf } from './run-migration.server.ts';
import type { SqlAdmin } from './sql-admin.server.ts';

/** Time that a run has to be part of the first response. Longer ones would keep other pages of the visitor waiting. */
const DIRECT_MS = 1000;
/** Leaves connections for the other pages of the admin area. */
const MAX_RUNNING = 4;
const MAX_ERROR_CHARACTERS = 10_000;

/** Ids of the runs of this process. */
const running = new Set<string>();

/** Starts a run. `waitMs` is the time for which the answer waits for its end. Rejects with `MetaError`. */
export async function startRun(admin: SqlAdmin, form: RunForm, waitMs = DIRECT_MS): Promise<RunAnswer> {
  const { id, sql, role, claims, isReadOnly } = form;
  if (running.size >= MAX_RUNNING)
    return { state: 'finished', id, ending: { kind: 'refused', code: 'too_many_runs', message: '' } };
  running.add(id);
  const { queries } = admin.meta;
  const run = { id, actor_id: admin.actor.actor_id, sql, role, claims, read_only: isReadOnly };
  try {
    await queries.addRun(run);
  } catch (error) {
    running.delete(id);
    throw error;
  }
  const ended = runToEnd(admin, form);
  const { value } = await resolveWithin(ended, waitMs);
  const store = async (ending: RunEnding, keepsResult: boolean) => {
    await queries.completeRun(id, endOf(ending, keepsResult)).finally(() => running.delete(id));
  };
  if (value instanceof Promise) {
    // The entry stays “started” if the database is not available.
    void value.then((ending) => store(ending, true)).catch(() => undefined);
    return { state: 'running', id };
  }
  await store(value, false);
  return { state: 'finished', id, ending: value };
}

/** Returns the state of a run of this administrator. Rejects with `MetaError` for an unknown id. */
export async function findRun({ actor, meta }: SqlAdmin, id: string): Promise<RunAnswer> {
  const { outcome, result } = await meta.queries.findRun(id, actor.actor_id);
  if (outcome === 'started') {
    const isRunning = running.has(id) || (await findRunning(meta)).some((run) => run.id === id);
    return { state: isRunning ? 'running' : 'lost', id };
  }
  if (result === null) return { state: 'gone', id };
  return { state: 'finished', id, ending: JSON.parse(result) as RunEnding };
}

/** A run of any process of the instance, as PostgreSQL knows it. */
interface ActiveRun {
  id: string;
}

/** Returns the ids of all runs that have a connection. */
export function findRunning(meta: MetaClient): Promise<ActiveRun[]> {
  return meta.rows<ActiveRun>(
    `select right(application_name, 36) as id from pg_stat_activity
      where application_name like 'greenroom meta ________-____-____-____-____________'`,
  );
}

/** Returns whether a run belongs to this process, and has not ended. */
export function isRunningHere(id: string): boolean {
  return running.has(id);
}

/** Never rejects. */
async function runToEnd(admin: SqlAdmin, form: RunForm): Promise<RunEnding> {
  try {
    const isAudited = !form.isReadOnly && form.mode !== 'explain';
    return { kind: 'ran', ...(isAudited ? await runAudited(admin, form) : await run(admin, form)) };
  } catch (error) {
    const { code, message } =
      error instanceof MetaError ? error : { code: 'unknown', message: String(error) };
    return { kind: 'refused', code, message };
  }
}

/** A result, and the migration file of the run. */
type Ran = Omit<Extract<RunEnding, { kind: 'ran' }>, 'kind'>;

async function run(admin: SqlAdmin, form: RunForm): Promise<Ran> {
  const change = schemaChangeOf(form);
  if (change && (await requireSchemaChanges(admin, form))) return runMigration(admin, form, change);
  return { result: await runStatements(admin, form), migration: null };
}

function runStatements(
  { meta }: SqlAdmin,
  { id, sql, mode, role, claims, isReadOnly, timeoutMs, maxRows }: RunForm,
): Promise<RunResult> {
  return meta.run(mode === 'run' ? sql : explainSql(sql, mode), {
    id,
    timeoutMs,
    maxRows,
    isReadOnly: isReadOnly || mode === 'explain',
    ...(mode !== 'run' && { commit: 'rollback' }),
    // The login role is postgres already.
    ...(role !== 'postgres' && { role }),
    ...(claims && { claims }),
  });
}

/** The outcome of a run with an error of PostgreSQL, as the audit log records it. */
class FailedRun extends Error {
  readonly ran: Ran;

  constructor(ran: Ran) {
    super(ran.result.error?.message);
    this.ran = ran;
  }
}

async function runAudited(admin: SqlAdmin, form: RunForm): Promise<Ran> {
  const { sql, role, claims, mode } = form;
  const summary = mode === 'analyze' ? 'Explained a statement, and rolled it back' : 'Ran SQL';
  const after = { sql, role, ...(claims && { claims }) };
  let ran: Ran | undefined;
  try {
    await audited(admin, { action: 'sql.run', target: 'sql', summary, after }, async () => {
      ran = await run(admin, form);
      if (ran.result.error !== null) throw new FailedRun(ran);
      return ran.migration === null ? undefined : { after: { ...after, migration: ran.migration } };
    });
  } catch (error) {
    if (error instanceof FailedRun) return error.ran;
    // The statements ran, although their outcome could not be recorded.
    if (ran === undefined) throw error;
  }
  return ran as unknown as Ran;
}

function endOf(ending: RunEnding, keepsResult: boolean) {
  const result = ending.kind === 'ran' ? ending.result : undefined;
  const error = ending.kind === 'ran' ? ending.result.error?.message : ending.message || ending.code;
  return {
    outcome: error === undefined ? ('done' as const) : ('failed' as const),
    duration_ms: result?.duration_ms ?? null,
    row_count: result?.results.at(-1)?.row_count ?? null,
    error: error?.slice(0, MAX_ERROR_CHARACTERS) ?? null,
    result: keepsResult ? JSON.stringify(ending) : null,
  };
}
