/** The page of the section “Tables” on the server. */
import { data } from 'react-router';
import { type MaybePromise, resolveWithin } from '../../../lib/maybe-promise.ts';
import type { MetaClient } from '../../../session/meta-client.server.ts';
import { invalidRoute } from '../../../session/page-errors.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { asAdmin } from '../shared/as-admin.server.ts';
import { findTable, listRelations } from './catalog.server.ts';
import type { RowPage } from './grid-rows.ts';
import { readPage } from './read-rows.server.ts';
import { problemOf } from './run-statement.server.ts';
import type { Problem } from './sql-refusal.ts';
import { readSelection, type Selection } from './table-address.ts';
import type { Relation, TableInfo } from './table-model.ts';

/** The first rows, or why they could not be read. */
export type FirstPage = RowPage | { problem: Problem };

/** Data of the page. */
export type TablesView =
  | { kind: 'tables'; relations: readonly Relation[]; open: OpenTable }
  | { kind: 'unavailable'; problem: Problem }
  /** The backend is hosted elsewhere. */
  | { kind: 'hosted' };

/** The chosen relation. */
export type OpenTable =
  | { kind: 'none' }
  | { kind: 'gone' }
  | { kind: 'table'; table: TableInfo; first: MaybePromise<FirstPage> };

type Args = VisitorArgs & { url: URL };

/** Loads the list of relations, and the first rows of the chosen one. */
export function loadTables(args: Args) {
  const selection = readSelection(args.url.searchParams);
  if (selection === undefined) throw invalidRoute(pagePath(args));
  return asAdmin(args, async ({ meta }) => {
    if (meta === undefined) return view({ kind: 'hosted' });
    try {
      const [relations, open] = await Promise.all([listRelations(meta), openTable(meta, selection)]);
      if (open === 'invalid') throw invalidRoute(pagePath(args));
      return view({ kind: 'tables', relations, open }, open.kind === 'gone' ? 404 : 200);
    } catch (error) {
      return view({ kind: 'unavailable', problem: problemOf(error) }, 503);
    }
  });
}

async function openTable(meta: MetaClient, selection: Selection): Promise<OpenTable | 'invalid'> {
  if (selection.table === undefined) return { kind: 'none' };
  const table = await findTable(meta, selection.schema, selection.table);
  if (table === undefined) return { kind: 'gone' };
  const { value: first } = await resolveWithin(readFirst(meta, table, selection));
  return { kind: 'table', table, first };
}

/** Never rejects for an error of the database. */
async function readFirst(meta: MetaClient, table: TableInfo, selection: Selection): Promise<FirstPage> {
  try {
    const page = await readPage(meta, table, selection, { after: selection.after });
    return (
      page ?? {
        problem: { code: 'position', message: 'The position in the address does not fit the table.' },
      }
    );
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function view(value: TablesView, status = 200) {
  return data(value, { status });
}
