/** Copies tables of a backup into new tables of the live database, all in one transaction. */
import { type CopySession, copyRows } from '@greenroom/postgres/copy';
import { incompatibility, readTypeShapes } from './column-types.ts';
import { describeTable, type TableDescription } from './describe-table.ts';
import { rowsOf } from './find-table.ts';
import { restoredSchema } from './restored-names.ts';
import { createRestoredTable, ensureRestoredSchema, restoredTableName } from './restored-schema.ts';
import type { TableSelection } from './selection.ts';

/** A table of the backup. */
export interface SelectedTable {
  selection: TableSelection;
  table: TableDescription;
}

/** A restored table. */
export interface RestoredTable {
  /** The table in the backup. */
  former: TableDescription;
  /** The live table of the same name; undefined if it does not exist any more. */
  live: TableDescription | undefined;
  /** The new schema, and the new table with it, as PostgreSQL writes them. */
  schema: string;
  table: string;
  rows: number;
  /** Columns that have the type text, and the reasons. */
  converted: readonly { column: string; reason: string }[];
}

/** Options of {@link restoreTables}. */
interface RestoreTablesOptions {
  tables: readonly SelectedTable[];
  /** The restored backup, as its superuser. */
  scratch: CopySession;
  /** The live database, as its owner. Closing it after an error undoes everything. */
  live: CopySession;
  /** Time of the state, ISO 8601. */
  time: string;
  /** Id of the backup. */
  id: string;
  signal: AbortSignal;
}

/** Restores all tables or none. Rejects with errors of either database. */
export async function restoreTables(options: RestoreTablesOptions): Promise<RestoredTable[]> {
  const { tables, live, time } = options;
  await live.batch([{ text: 'begin' }]);
  const schema = await ensureRestoredSchema(live, restoredSchema(time));
  const restored: RestoredTable[] = [];
  for (const table of tables) restored.push(await restoreTable(table, schema, options));
  await live.batch([{ text: 'commit' }]);
  return restored;
}

async function restoreTable(
  { selection, table: former }: SelectedTable,
  schema: string,
  options: RestoreTablesOptions,
): Promise<RestoredTable> {
  const { scratch, live, time, id, signal } = options;
  const columns = await chooseTypes(former, options);
  const isPublished = await hasPublicationOfAll(live);
  const name = await createRestoredTable(live, {
    schema,
    wanted: selection.name,
    columns: columns.map(({ quoted, type }) => `${quoted} ${type}`).join(', '),
    comment: `Rows of ${former.quoted} at ${time}, of the backup ${id}`,
    isUnlogged: isPublished,
  });
  const table = restoredTableName(schema, name);
  const { read, written } = await copyRows(
    { session: scratch, statement: `copy (${rowsOf(former)}) to stdout` },
    { session: live, statement: `copy ${table} from stdin` },
    signal,
  );
  if (isPublished) await live.batch([{ text: `alter table ${table} set logged` }]);
  const [[counted] = []] = await live.batch([{ text: `select count(*)::text as rows from ${table}` }]);
  if (read !== written || Number(counted?.rows) !== read)
    throw new Error(`${former.quoted} has ${read} rows in the backup, but ${counted?.rows} were restored`);
  return {
    former,
    live: await describeLive(live, selection),
    schema,
    table,
    rows: read,
    converted: columns.flatMap(({ quoted: column, reason }) =>
      reason === undefined ? [] : [{ column, reason }],
    ),
  };
}

/** A column of the new table. `reason`: why its type is text. */
interface NewColumn {
  quoted: string;
  type: string;
  reason: string | undefined;
}

async function chooseTypes(
  { columns }: TableDescription,
  { scratch, live }: Pick<RestoreTablesOptions, 'scratch' | 'live'>,
): Promise<NewColumn[]> {
  const ids = [...new Set(columns.map(({ typeId }) => typeId))];
  const backupTypes = await readTypeShapes(scratch, ids);
  const liveTypes = await withCatalogPath(live, () => readTypeShapes(live, ids));
  return columns.map(({ quoted, type, typeId }) => {
    const reason = incompatibility(typeId, backupTypes, liveTypes);
    return { quoted, type: reason === undefined ? type : 'text', reason };
  });
}

function describeLive(live: CopySession, selection: TableSelection): Promise<TableDescription | undefined> {
  return withCatalogPath(live, () => describeTable(live, selection));
}

/** The catalog writes names of types with their schemas then. Constraints of types need the path of the owner afterwards. */
async function withCatalogPath<T>(live: CopySession, read: () => Promise<T>): Promise<T> {
  await live.batch([{ text: 'set local search_path = pg_catalog' }]);
  const result = await read();
  await live.batch([{ text: 'set local search_path to default' }]);
  return result;
}

/**
 * A publication of all tables contains the new one, so its rows would be sent to subscribers. Rows of unlogged tables are
 * not, and neither are rows that PostgreSQL moves when it makes the table logged.
 */
async function hasPublicationOfAll(live: CopySession): Promise<boolean> {
  const [rows = []] = await live.batch([
    { text: 'select from pg_catalog.pg_publication where puballtables limit 1' },
  ]);
  return rows.length > 0;
}
