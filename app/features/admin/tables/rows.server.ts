/** The requests of the grid: pages of rows, whole values, choices of foreign keys, changes, and the export. */
import { MetaError } from '../../../session/meta-client.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { resourceJson } from '../shared/as-admin.server.ts';
import { findTable } from './catalog.server.ts';
import { parseChangeRequest } from './change-request.server.ts';
import { deleteRows, insertRow, updateRow } from './change-rows.server.ts';
import { ColumnError } from './change-sql.ts';
import type { ChangeRequest, ChangeResult } from './changes.ts';
import { endImport, importRows, importState, startImport } from './import-rows.server.ts';
import { findChoices } from './lookup.server.ts';
import { parsePosition } from './position.ts';
import { readPage, readRow, readValue } from './read-rows.server.ts';
import { exportStatement } from './rows-sql.ts';
import { problemOf } from './run-statement.server.ts';
import { readSelection, type Selection } from './table-address.ts';
import { asTableAdmin, notFound, type TableAdmin } from './table-admin.server.ts';
import { columnOf, readOnlyReason, type TableInfo } from './table-model.ts';
import { undoChange } from './undo-change.server.ts';

type Args = VisitorArgs & { url: URL };

const INVALID: ChangeResult = { kind: 'refused', reason: 'invalid' };

/** Returns a page of rows, a row, a whole value or choices, by the query. */
export function loadRows(args: Args): Promise<Response> {
  return asTableAdmin(args, async (admin) => {
    const search = args.url.searchParams;
    const selection = readSelection(search);
    if (selection?.table === undefined) return resourceJson(INVALID, 400);
    try {
      const table = await findTable(admin.meta, selection.schema, selection.table);
      return table === undefined ? notFound() : await answer(admin, table, { selection, search });
    } catch (error) {
      return problemResponse(error);
    }
  });
}

async function answer(
  admin: TableAdmin,
  table: TableInfo,
  { selection, search }: { selection: Selection; search: URLSearchParams },
): Promise<Response> {
  const lookup = search.get('lookup');
  const column = search.get('column') ?? '';
  if (lookup !== null) {
    if (columnOf(table, column) === undefined) return resourceJson(INVALID, 400);
    return resourceJson(await findChoices(admin, table, { column, search: lookup }));
  }
  const keyText = search.get('key');
  if (keyText !== null) {
    const key = parsePosition(keyText, [table.key.length])?.map((value) => value ?? '');
    if (key === undefined || key.length === 0) return resourceJson(INVALID, 400);
    const found = search.has('column')
      ? await readValue(admin.meta, table, key, column)
      : await readRow(admin.meta, table, { sort: selection.sort, key });
    return found ? resourceJson(found) : notFound();
  }
  const offset = Number(search.get('offset') ?? 0);
  const place = {
    after: selection.after,
    before: search.get('before') ?? undefined,
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
  const page = await readPage(admin.meta, table, selection, place);
  return page ? resourceJson(page) : resourceJson(INVALID, 400);
}

/** Changes rows. */
export function changeTable(args: Args): Promise<Response> {
  return asTableAdmin(args, async (admin) => {
    const change = await parseChangeRequest(args.request);
    if (change === undefined) return resourceJson(INVALID, 400);
    try {
      const table = await findTable(admin.meta, change.schema, change.table);
      if (table === undefined) return notFound();
      return resourceJson(await applyChange(admin, table, change));
    } catch (error) {
      return problemResponse(error);
    }
  });
}

function applyChange(admin: TableAdmin, table: TableInfo, change: ChangeRequest): Promise<ChangeResult> {
  const isInsert = change.intent === 'insert' || change.intent.startsWith('import');
  const reason = readOnlyReason(table);
  // The database itself says why it refuses a change of another owner's table.
  const isRefused = reason === 'view' || reason === 'foreign' || (reason === 'no-key' && !isInsert);
  if (isRefused) return Promise.resolve({ kind: 'refused', reason: 'read-only' });
  switch (change.intent) {
    case 'update':
      return updateRow(admin, table, change);
    case 'insert':
      return insertRow(admin, table, change);
    case 'delete':
      return deleteRows(admin, table, change.rows);
    case 'undo':
      return undoChange(admin, table, change.auditId);
    case 'import-start':
      return startImport(admin, table, change.file);
    case 'import-state':
      return importState(admin, table, change.auditId);
    case 'import-rows':
      return importRows(admin, table, change);
    case 'import-end':
      return endImport(admin, table, change.auditId);
  }
}

/** Streams all rows of the selection as CSV. */
export function exportTable(args: Args): Promise<Response> {
  return asTableAdmin(args, async (admin) => {
    const selection = readSelection(args.url.searchParams);
    if (selection?.table === undefined) return resourceJson(INVALID, 400);
    try {
      const table = await findTable(admin.meta, selection.schema, selection.table);
      if (table === undefined) return notFound();
      const { text, values } = exportStatement(table, selection);
      const body = await admin.meta.export(text, { parameters: values, signal: args.request.signal });
      return new Response(body, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${table.name}.csv`)}`,
          'cache-control': 'private, no-store',
        },
      });
    } catch (error) {
      return problemResponse(error);
    }
  });
}

function problemResponse(error: unknown): Response {
  if (error instanceof ColumnError) return resourceJson(INVALID, 400);
  const problem = problemOf(error);
  const status = error instanceof MetaError && error.status >= 500 ? 503 : 422;
  return resourceJson({ kind: 'problem', problem } satisfies ChangeResult, status);
}
