/** Undoes recorded changes of rows. */
import { audited } from '../shared/as-admin.server.ts';
import type { ChangeResult } from './changes.ts';
import { changeRows } from './run-statement.server.ts';
import type { TableAdmin } from './table-admin.server.ts';
import type { TableInfo } from './table-model.ts';

interface UndoableEntry {
  summary: string;
  undo_sql: string;
}

/** No row has the version that the change left. */
class NothingUndone extends Error {
  override readonly name = 'NothingUndone';
}

/** Undoes a change of the table once, unless its rows were changed again. Rejects with `SqlRefusal` or `MetaError`. */
export async function undoChange(
  admin: TableAdmin,
  table: TableInfo,
  auditId: string,
): Promise<ChangeResult> {
  const target = `${table.schema}.${table.name}`;
  const [entry] = await admin.meta.rows<UndoableEntry>(
    `select summary, undo_sql from greenroom.audit_log
      where id = $1::text::bigint and target = $2::text and action like 'row.%' and undo_sql is not null and undone_by is null`,
    [auditId, target],
  );
  if (entry === undefined) return { kind: 'not-undone' };
  const summary = `Undid: ${entry.summary}`;
  try {
    const { count, undoId } = await runUndo(admin, { target, summary, auditId }, entry.undo_sql);
    await admin.meta.completeAudit(auditId, { undone_by: undoId });
    return { kind: 'undone', count };
  } catch (error) {
    if (error instanceof NothingUndone) return { kind: 'not-undone' };
    throw error;
  }
}

async function runUndo(
  admin: TableAdmin,
  { target, summary, auditId }: { target: string; summary: string; auditId: string },
  sql: string,
): Promise<{ count: number; undoId: string }> {
  let undoId = '';
  let count = 0;
  await audited(admin, { action: 'row.undo', target, summary, before: { entry: auditId } }, async (id) => {
    undoId = id;
    count = (await changeRows(admin.meta, { text: sql, values: [] })).row_count ?? 0;
    if (count === 0) throw new NothingUndone('The rows were changed or deleted meanwhile.');
    return { after: { rows: count } };
  });
  return { count, undoId };
}
