/** Runs statements of the section “Tables”. */
import { type MetaClient, MetaError, type StatementResult } from '../../../session/meta-client.server.ts';
import { FilterError, type Statement } from './filters-sql.ts';
import { type Problem, SqlRefusal } from './sql-refusal.ts';

const READ_TIMEOUT_MS = 15_000;
const CHANGE_TIMEOUT_MS = 60_000;
const MAX_ROWS = 10_000;

const NO_RESULT: StatementResult = {
  command: '',
  row_count: 0,
  columns: null,
  rows: [],
  is_truncated: false,
  duration_ms: 0,
};

/** Runs a statement that reads. Rejects with {@link SqlRefusal} or `MetaError`. */
export function readRows(meta: MetaClient, statement: Statement): Promise<StatementResult> {
  return run(meta, statement, true);
}

/** Runs a statement that changes rows. Rejects with {@link SqlRefusal} or `MetaError`. */
export function changeRows(meta: MetaClient, statement: Statement): Promise<StatementResult> {
  return run(meta, statement, false);
}

async function run(
  meta: MetaClient,
  { text, values }: Statement,
  isReadOnly: boolean,
): Promise<StatementResult> {
  const { results, error } = await meta.run(text, {
    parameters: values,
    isReadOnly,
    timeoutMs: isReadOnly ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS,
    maxRows: MAX_ROWS,
  });
  if (error !== null) throw new SqlRefusal(error);
  return results[0] ?? NO_RESULT;
}

/** Returns the problem of a known error. Throws unknown errors. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SqlRefusal) return error.problem;
  if (error instanceof MetaError) return { code: error.code, message: error.message };
  if (error instanceof FilterError) return { code: 'filter', message: error.message };
  throw error;
}
