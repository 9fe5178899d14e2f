/**
 * Checks a restored database: that all pages of tables can be read and are valid, that indexes fit their tables, and that a scan
 * of each table finds as many rows as a scan of its index. A lost end of a file shows only in the last one.
 */
import { openSession, type Session } from '@greenroom/postgres';
import { checkEach, type Relation } from './check-each.ts';

/** Options of {@link checkDatabase}. */
interface CheckOptions {
  /** Of the superuser; other roles cannot check. */
  url: string;
  signal: AbortSignal;
}

/** What was checked. All are 0 if the role is not a superuser. */
export interface CheckedParts {
  /** Indexes of all schemas. */
  indexes: number;
  /** Tables and materialized views, without those of the system. */
  tables: number;
  /** Their rows. */
  rows: number;
}

/** Result of {@link checkDatabase}. */
interface DatabaseCheck extends CheckedParts {
  /** A sentence for each problem. */
  problems: string[];
}

/** Returns e.g. `371 indexes, 52 tables with 1204 rows`. */
export function checkedText({ indexes, tables, rows }: CheckedParts): string {
  return `${countText(indexes, 'index', 'indexes')}, ${countText(tables, 'table')} with ${countText(rows, 'row')}`;
}

function countText(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A table, a materialized view or a table of large values (TOAST). */
interface Table extends Relation {
  isOfSystem: boolean;
  /** Whether an index contains each of its rows. */
  hasFullIndex: boolean;
}

const TABLES = `
  select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as name,
    n.nspname in ('pg_catalog', 'pg_toast', 'information_schema') as "isOfSystem",
    exists (
      select from pg_catalog.pg_index i
      join pg_catalog.pg_class x on x.oid = i.indexrelid
      join pg_catalog.pg_am m on m.oid = x.relam and m.amname = 'btree'
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null
    ) as "hasFullIndex"
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_am a on a.oid = c.relam and a.amname = 'heap'
  where c.relkind in ('r', 'm', 't') and c.relpersistence = 'p'
  order by name`;

const INDEXES = `
  select c.oid::text as oid, c.oid::regclass::text as name
  from pg_catalog.pg_class c
  join pg_catalog.pg_am m on m.oid = c.relam and m.amname = 'btree'
  join pg_catalog.pg_index i on i.indexrelid = c.oid and i.indisvalid
  where c.relkind = 'i' and c.relpersistence = 'p'
  order by name`;

/** Checks a database. Rejects with the reason of the signal. */
export async function checkDatabase({ url, signal }: CheckOptions): Promise<DatabaseCheck> {
  signal.throwIfAborted();
  const session = await openSession({ url, applicationName: 'greenroom backup' });
  // Ends a statement that reads a large table.
  const interrupt = () => void session.close();
  signal.addEventListener('abort', interrupt);
  try {
    signal.throwIfAborted();
    return await checkIn(session);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    await session.close();
  }
}

async function checkIn(session: Session): Promise<DatabaseCheck> {
  const [[role] = []] = await session.batch([
    { text: 'select rolsuper as superuser from pg_catalog.pg_roles where rolname = current_user' },
  ]);
  if (!role?.superuser) return { indexes: 0, tables: 0, rows: 0, problems: [] };
  await session.batch([
    // Both counts of a table see the same rows, also of one that is written meanwhile.
    { text: 'begin isolation level repeatable read' },
    // The extension exists only in this transaction.
    { text: 'create schema greenroom_check' },
    { text: 'create extension amcheck schema greenroom_check' },
  ]);
  const [foundTables = [], foundIndexes = []] = await session.batch([{ text: TABLES }, { text: INDEXES }]);
  const tables = foundTables.map(
    (row): Table => ({
      ...relationOf(row),
      isOfSystem: row.isOfSystem === true,
      hasFullIndex: row.hasFullIndex === true,
    }),
  );
  const indexes = foundIndexes.map(relationOf);
  const problems: string[] = [];
  const report = (kind: string) => (relation: Relation, message: string) =>
    void problems.push(`${kind} ${relation.name}: ${message}`);
  await checkPages(session, tables, report('table'));
  await checkIndexes(session, indexes, report('index'));
  const counts = await countRows(session, tables, report('table'));
  const ownTables = tables.filter(({ isOfSystem }) => !isOfSystem);
  const rows = ownTables.reduce((sum, { oid }) => sum + (counts.get(oid) ?? 0), 0);
  return { indexes: indexes.length, tables: ownTables.length, rows, problems };
}

function relationOf({ oid, name }: Record<string, unknown>): Relation {
  return { oid: String(oid), name: String(name) };
}

type Report = (relation: Relation, message: string) => void;

/** Reports the first damaged page of each table. */
async function checkPages(session: Session, tables: readonly Table[], report: Report): Promise<void> {
  const found = await checkEach(session, tables, report, (group) => ({
    text: `select checked.oid::text as oid, page.blkno as block, page.msg as message
      from unnest($1::oid[]) checked(oid),
      lateral greenroom_check.verify_heapam(checked.oid, on_error_stop => true, check_toast => true) page`,
    values: [group.map(({ oid }) => oid)],
  }));
  const byOid = new Map(tables.map((table) => [table.oid, table]));
  for (const { oid, block, message } of found) {
    const table = byOid.get(String(oid));
    if (table) report(table, `block ${block}: ${message}`);
  }
}

/** Reports indexes that are not in order or lack a row of their table. */
async function checkIndexes(session: Session, indexes: readonly Relation[], report: Report): Promise<void> {
  await checkEach(session, indexes, report, (group) => ({
    text: 'select greenroom_check.bt_index_check(oid, true) from unnest($1::oid[]) checked(oid)',
    values: [group.map(({ oid }) => oid)],
  }));
}

/** Returns the number of rows of each table by its OID, and reports tables whose index has another number. */
async function countRows(
  session: Session,
  tables: readonly Table[],
  report: Report,
): Promise<Map<string, number>> {
  const countBy = async (counted: readonly Table[], scans: { sequential: boolean }) => {
    await session.batch([
      { text: `set local enable_seqscan = ${scans.sequential}` },
      { text: `set local enable_indexscan = ${!scans.sequential}` },
      { text: `set local enable_indexonlyscan = ${!scans.sequential}` },
      { text: 'set local enable_bitmapscan = off' },
    ]);
    const rows = await checkEach(session, counted, report, (group) => ({
      text: group
        .map(({ oid, name }) => `select '${oid}' as oid, count(*)::float8 as rows from only ${name}`)
        .join(' union all '),
    }));
    return new Map(rows.map((row) => [String(row.oid), Number(row.rows)]));
  };
  const byTable = await countBy(tables, { sequential: true });
  const withIndex = tables.filter(({ hasFullIndex }) => hasFullIndex);
  const byIndex = await countBy(withIndex, { sequential: false });
  for (const table of withIndex) {
    const [inTable, inIndex] = [byTable.get(table.oid), byIndex.get(table.oid)];
    // A count that has failed was reported.
    if (inTable === undefined || inIndex === undefined || inTable === inIndex) continue;
    report(table, `a scan of the table finds ${inTable} rows, a scan of its index ${inIndex}`);
  }
  return byTable;
}
