/** Changes rows: each change is recorded with what undoes it, and a row that was changed meanwhile is left as it is. */
import { audited } from '../shared/as-admin.server.ts';
import {
  deleteStatement,
  insertStatement,
  type NewValues,
  type RowVersion,
  readStatement,
  type StoredRow,
  undoDelete,
  undoInsert,
  undoUpdate,
  updateStatement,
} from './change-sql.ts';
import type { ChangeResult } from './changes.ts';
import type { Statement } from './filters-sql.ts';
import { readRow } from './read-rows.server.ts';
import { changeRows, readRows } from './run-statement.server.ts';
import type { Sort } from './table-address.ts';
import type { TableAdmin } from './table-admin.server.ts';
import type { TableInfo } from './table-model.ts';

/** Stops a change, so that its entry of the log says why. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

const CHANGED = 'The row was changed or deleted meanwhile.';

/** Changes columns of a row. Rejects with `SqlRefusal`, `ColumnError` or `MetaError`. */
export async function updateRow(
  admin: TableAdmin,
  table: TableInfo,
  { row, values, sort }: { row: RowVersion; values: NewValues; sort?: Sort | undefined },
): Promise<ChangeResult> {
  const before = await readWhole(admin, table, row.key);
  if (before === undefined) return { kind: 'gone' };
  if (before.xmin !== row.xmin)
    return { kind: 'conflict', xmin: before.xmin, current: only(before.row, values) };
  const old = only(before.row, values);
  let after: WholeRow | undefined;
  let auditId = '';
  try {
    await audited(
      admin,
      {
        action: 'row.update',
        target: nameOf(table),
        summary: `Changed ${Object.keys(values).join(', ')} of the row ${row.key.join(', ')}.`,
        before: old,
      },
      async (id) => {
        auditId = id;
        after = await changeWhole(admin, table, updateStatement(table, row, values));
        if (after === undefined) throw new ChangedMeanwhile(CHANGED);
        return { after: only(after.row, values), undo_sql: undoUpdate(table, old, versionOf(table, after)) };
      },
    );
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    const current = await readWhole(admin, table, row.key);
    return current
      ? { kind: 'conflict', xmin: current.xmin, current: only(current.row, values) }
      : { kind: 'gone' };
  }
  const key = after ? versionOf(table, after).key : row.key;
  const changed = await readRow(admin.meta, table, { sort, key });
  return changed ? { kind: 'updated', row: changed, auditId } : { kind: 'gone' };
}

/** Inserts a row. Rejects with `SqlRefusal`, `ColumnError` or `MetaError`. */
export async function insertRow(
  admin: TableAdmin,
  table: TableInfo,
  { values, sort }: { values: NewValues; sort?: Sort | undefined },
): Promise<ChangeResult> {
  let inserted: WholeRow | undefined;
  let auditId = '';
  await audited(
    admin,
    { action: 'row.insert', target: nameOf(table), summary: `Inserted a row into ${nameOf(table)}.` },
    async (id) => {
      auditId = id;
      inserted = await changeWhole(admin, table, insertStatement(table, values));
      // A trigger may have skipped the row.
      if (inserted === undefined) return { after: null };
      const undo = table.key.length > 0 ? undoInsert(table, versionOf(table, inserted)) : null;
      return { after: inserted.row, undo_sql: undo };
    },
  );
  if (inserted === undefined) return { kind: 'gone' };
  const isFound = table.key.length > 0;
  const row = isFound
    ? await readRow(admin.meta, table, { sort, key: versionOf(table, inserted).key })
    : undefined;
  return { kind: 'inserted', row: row ?? null, auditId: isFound ? auditId : '' };
}

/** Deletes rows that still have these versions, and keeps the others. Rejects with `SqlRefusal` or `MetaError`. */
export async function deleteRows(
  admin: TableAdmin,
  table: TableInfo,
  rows: readonly RowVersion[],
): Promise<ChangeResult> {
  let deleted: WholeRow[] = [];
  let auditId = '';
  let canUndo = false;
  await audited(
    admin,
    {
      action: 'row.delete',
      target: nameOf(table),
      summary: `Deleted ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} of ${nameOf(table)}.`,
      before: await readBefore(admin, table, rows),
    },
    async (id) => {
      auditId = id;
      const result = await changeRows(admin.meta, deleteStatement(table, rows));
      deleted = wholeRows(table, result.rows);
      const undo = undoDelete(
        table,
        deleted.map(({ row }) => row),
      );
      canUndo = deleted.length > 0 && !result.is_truncated && undo.length <= MAX_UNDO_CHARACTERS;
      return { after: { deleted: deleted.length }, ...(canUndo && { undo_sql: undo }) };
    },
  );
  return {
    kind: 'deleted',
    count: deleted.length,
    kept: rows.length - deleted.length,
    auditId: canUndo ? auditId : '',
  };
}

/** Limit of the audit log. */
const MAX_UNDO_CHARACTERS = 1_000_000;
/** The values of more rows would be replaced by a note. */
const MAX_LOGGED_ROWS = 200;

async function readBefore(
  admin: TableAdmin,
  table: TableInfo,
  rows: readonly RowVersion[],
): Promise<unknown> {
  if (rows.length > MAX_LOGGED_ROWS) return rows.map(({ key }) => key);
  const read = await Promise.all(rows.map(({ key }) => readWhole(admin, table, key)));
  return read.map((each) => each?.row ?? null);
}

interface WholeRow {
  xmin: string;
  row: StoredRow;
}

async function readWhole(
  { meta }: TableAdmin,
  table: TableInfo,
  key: readonly string[],
): Promise<WholeRow | undefined> {
  return wholeRows(table, (await readRows(meta, readStatement(table, key))).rows)[0];
}

/** Changes a row, and returns it with its new version. */
async function changeWhole(
  admin: TableAdmin,
  table: TableInfo,
  statement: Statement,
): Promise<WholeRow | undefined> {
  const [changed] = wholeRows(table, (await changeRows(admin.meta, statement)).rows);
  if (changed === undefined || changed.xmin !== '' || table.key.length === 0) return changed;
  return (await readWhole(admin, table, versionOf(table, changed).key)) ?? changed;
}

function wholeRows({ columns }: TableInfo, rows: readonly (readonly (string | null)[])[]): WholeRow[] {
  return rows.map(([xmin, ...values]) => ({
    xmin: xmin ?? '',
    row: Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null])),
  }));
}

function versionOf({ key }: TableInfo, { xmin, row }: WholeRow): RowVersion {
  return { xmin, key: key.map((name) => row[name] ?? '') };
}

function only(row: StoredRow, values: NewValues): StoredRow {
  return Object.fromEntries(Object.keys(values).map((name) => [name, row[name] ?? null]));
}

function nameOf({ schema, name }: TableInfo): string {
  return `${schema}.${name}`;
}
