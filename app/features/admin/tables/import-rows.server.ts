/**
 * Imports rows in chunks, one transaction each. The log's entry of an import has its progress, so that an interrupted import goes on
 * after the last chunk, and a chunk that is sent twice is inserted once.
 */
import { importStatement, undoImport } from './change-sql.ts';
import type { ChangeRequest, ChangeResult, ImportProgress } from './changes.ts';
import { changeRows, problemOf } from './run-statement.server.ts';
import { type Problem, SqlRefusal } from './sql-refusal.ts';
import type { TableAdmin } from './table-admin.server.ts';
import type { TableInfo } from './table-model.ts';

type Rows = readonly (readonly (string | null)[])[];
type RowsRequest = Extract<ChangeRequest, { intent: 'import-rows' }>;

/** Errors of data: wrong values (22), constraints (23), and exceptions of triggers. Others concern the whole import. */
const ROW_ERROR = /^(22|23|P0001)/;
/** The log replaces larger entries by a note. */
const MAX_TRANSACTIONS = 15_000;

/** Imports that insert a chunk at the moment. */
const running = new Set<string>();

/** Begins an import. Rejects with `MetaError`. */
export async function startImport(
  { meta, actor }: TableAdmin,
  table: TableInfo,
  file: string,
): Promise<ChangeResult> {
  const target = `${table.schema}.${table.name}`;
  const progress: ImportProgress = { file, read: 0, inserted: 0, failed: 0, transactions: [], errors: [] };
  const summary = `Imported ${file} into ${target}.`;
  const auditId = await meta.addAudit({ ...actor, action: 'row.import', target, summary, after: progress });
  return { kind: 'import', auditId, progress };
}

/** Returns the progress of an import. */
export async function importState(
  admin: TableAdmin,
  table: TableInfo,
  auditId: string,
): Promise<ChangeResult> {
  const progress = await findProgress(admin, table, auditId);
  return progress ? { kind: 'import', auditId, progress } : { kind: 'gone' };
}

/** Inserts a chunk if it follows the last one, and returns the new progress. Rejects with `SqlRefusal` for other errors than of rows. */
export async function importRows(
  admin: TableAdmin,
  table: TableInfo,
  request: RowsRequest,
): Promise<ChangeResult> {
  const { auditId } = request;
  if (running.has(auditId)) return importState(admin, table, auditId);
  running.add(auditId);
  try {
    return await insertChunk(admin, table, request);
  } finally {
    running.delete(auditId);
  }
}

async function insertChunk(
  admin: TableAdmin,
  table: TableInfo,
  { auditId, columns, start, rows }: RowsRequest,
): Promise<ChangeResult> {
  const before = await findProgress(admin, table, auditId);
  if (before === undefined) return { kind: 'gone' };
  if (before.read !== start) return { kind: 'import', auditId, progress: { ...before, errors: [] } };
  const outcome: ChunkOutcome = { inserted: 0, transactions: [], errors: [] };
  await insertOrSplit({ admin, table, columns, outcome }, rows, start);
  const progress: ImportProgress = {
    file: before.file,
    read: start + rows.length,
    inserted: before.inserted + outcome.inserted,
    failed: before.failed + outcome.errors.length,
    transactions: [...before.transactions, ...outcome.transactions],
    errors: outcome.errors,
  };
  const canUndo = table.key.length > 0 && progress.transactions.length <= MAX_TRANSACTIONS;
  await admin.meta.completeAudit(auditId, {
    after: { ...progress, errors: progress.errors.slice(0, 20) },
    ...(canUndo && progress.inserted > 0 && { undo_sql: undoImport(table, progress.transactions) }),
  });
  return { kind: 'import', auditId, progress };
}

/** Ends an import. */
export async function endImport(admin: TableAdmin, table: TableInfo, auditId: string): Promise<ChangeResult> {
  const progress = await findProgress(admin, table, auditId);
  if (progress === undefined) return { kind: 'gone' };
  await admin.meta.completeAudit(auditId, { outcome: 'done' });
  return { kind: 'import', auditId, progress };
}

interface ChunkOutcome {
  inserted: number;
  transactions: string[];
  errors: { record: number; problem: Problem }[];
}

interface Insertion {
  admin: TableAdmin;
  table: TableInfo;
  columns: readonly string[];
  outcome: ChunkOutcome;
}

/** Halves the rows until only wrong ones are left out. */
async function insertOrSplit(insertion: Insertion, rows: Rows, start: number): Promise<void> {
  const { admin, table, columns, outcome } = insertion;
  if (rows.length === 0) return;
  try {
    const { rows: result } = await changeRows(admin.meta, importStatement(table, columns, rows));
    const [transaction, count] = result[0] ?? [];
    outcome.inserted += Number(count ?? 0);
    if (transaction) outcome.transactions.push(transaction);
  } catch (error) {
    if (!(error instanceof SqlRefusal) || !ROW_ERROR.test(error.problem.code)) throw error;
    if (rows.length === 1) {
      outcome.errors.push({ record: start, problem: problemOf(error) });
      return;
    }
    const half = Math.ceil(rows.length / 2);
    await insertOrSplit(insertion, rows.slice(0, half), start);
    await insertOrSplit(insertion, rows.slice(half), start + half);
  }
}

async function findProgress(
  { meta }: TableAdmin,
  table: TableInfo,
  auditId: string,
): Promise<ImportProgress | undefined> {
  const [entry] = await meta.rows<{ after: ImportProgress }>(
    `select after from greenroom.audit_log where id = $1::text::bigint and action = 'row.import'
      and target = $2::text and undone_by is null`,
    [auditId, `${table.schema}.${table.name}`],
  );
  return entry?.after;
}
