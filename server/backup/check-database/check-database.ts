/**
 * Checks a restored database: that all pages of tables can be read and are valid, that indexes fit their tables, and that a scan
 * of each table finds as many rows as a scan of its index. A lost end of a file shows only in the last one.
 */
import { randomBytes } from 'node:crypto';
import { NEUTRAL_SETTINGS, openSession, type Session, type Statement } from '@greenroom/postgres';
import type pg from 'pg';
import { checkEach, type Relation } from './check-each.ts';

/** PostgreSQL 17 has the parameter. */
const EVENT_TRIGGERS_VERSION = 170_000;

/** Options of {@link checkDatabase}. */
interface CheckOptions {
  urls: {
    /** Of the superuser: amcheck runs functions of the project as the owners of their tables. */
    admin: string;
    /** Of the owner of the database: other queries run such functions with the rights of the session. */
    owner: string;
  };
  signal: AbortSignal;
}

/** Numbers of checked parts. All are 0 if the role of `urls.admin` is not a superuser. */
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
  /** A sentence for each damage. */
  problems: string[];
  /** A sentence for each part that could not be checked, e.g. because a function of an index fails. */
  unchecked: string[];
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
  /** False for a materialized view that was never filled. */
  canBeRead: boolean;
  /** Whether no function of the project can belong to it: it is a table of a superuser, or of large values. */
  hasNoCode: boolean;
}

const TABLES = `
  select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as name,
    n.nspname in ('pg_catalog', 'pg_toast', 'information_schema') as "isOfSystem",
    exists (
      select from pg_catalog.pg_index i
      join pg_catalog.pg_class x on x.oid = i.indexrelid
      join pg_catalog.pg_am m on m.oid = x.relam and m.amname = 'btree'
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null
    ) as "hasFullIndex",
    c.relispopulated as "canBeRead",
    c.relkind = 't' or r.rolsuper as "hasNoCode"
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_am a on a.oid = c.relam and a.amname = 'heap'
  join pg_catalog.pg_roles r on r.oid = c.relowner
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
export async function checkDatabase({ urls, signal }: CheckOptions): Promise<DatabaseCheck> {
  await using opened = new AsyncDisposableStack();
  const open = async (url: string) => {
    signal.throwIfAborted();
    const session = await openSession({ url, applicationName: 'greenroom backup' });
    opened.defer(() => session.close());
    return session;
  };
  const admin = await open(urls.admin);
  const owner = await open(urls.owner);
  // Ends a statement that reads a large table.
  const interrupt = () => void Promise.allSettled([admin.close(), owner.close()]);
  signal.addEventListener('abort', interrupt);
  opened.defer(() => signal.removeEventListener('abort', interrupt));
  try {
    signal.throwIfAborted();
    return await check(admin, owner);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

async function check(admin: Session, owner: Session): Promise<DatabaseCheck> {
  const begun = await admin.batch([
    ...begin('read write'),
    {
      text: `select rolsuper as superuser, current_setting('server_version_num')::int as version
        from pg_catalog.pg_roles where rolname = current_user`,
    },
  ]);
  const role = begun.at(-1)?.[0];
  const problems: string[] = [];
  const unchecked: string[] = [];
  if (!role?.superuser) return { indexes: 0, tables: 0, rows: 0, problems, unchecked };
  const report =
    (kind: string) =>
    ({ name }: Relation, error: pg.DatabaseError) =>
      void (isDamage(error) ? problems : unchecked).push(`${kind} ${name}: ${error.message}`);
  const amcheck = await createAmcheck(admin, Number(role.version));
  await owner.batch(begin('read only'));
  const [foundTables = [], foundIndexes = []] = await admin.batch([{ text: TABLES }, { text: INDEXES }]);
  const tables = foundTables.map(
    (row): Table => ({
      ...relationOf(row),
      isOfSystem: row.isOfSystem === true,
      hasFullIndex: row.hasFullIndex === true,
      canBeRead: row.canBeRead === true,
      hasNoCode: row.hasNoCode === true,
    }),
  );
  const indexes = foundIndexes.map(relationOf);
  const damagedPages = await findDamagedPages(admin, amcheck, tables, report('table'));
  problems.push(...damagedPages.map(({ name, message }) => `table ${name}: ${message}`));
  const counts = new Map<string, number>();
  for (const [session, isPlain] of [
    [admin, true],
    [owner, false],
  ] as const) {
    const readable = tables.filter(({ canBeRead, hasNoCode }) => canBeRead && hasNoCode === isPlain);
    const { rows, differences } = await countRows(session, readable, report('table'));
    problems.push(...differences);
    for (const [oid, count] of rows) counts.set(oid, count);
  }
  // Last, because this runs functions of the project.
  await checkIndexes(admin, amcheck, indexes, report('index'));
  const ownTables = tables.filter(({ isOfSystem }) => !isOfSystem);
  const rows = ownTables.reduce((sum, { oid }) => sum + (counts.get(oid) ?? 0), 0);
  return { indexes: indexes.length, tables: ownTables.length, rows, problems, unchecked };
}

/**
 * Whether an error says that data is damaged: internal errors, damaged data, and errors of the system, e.g. of reading a file. Others
 * are those of functions, settings and rights of the project.
 */
export function isDamage({ code = '' }: pg.DatabaseError): boolean {
  return code.startsWith('XX') || code.startsWith('58');
}

function begin(access: 'read only' | 'read write'): Statement[] {
  return [
    { text: `begin isolation level repeatable read, ${access}` },
    ...NEUTRAL_SETTINGS,
    { text: 'set local search_path = pg_catalog, pg_temp' },
  ];
}

/**
 * Creates the functions of amcheck, which are gone after the transaction, without event triggers. Returns their schema.
 */
async function createAmcheck(session: Session, version: number): Promise<string> {
  // No name of the project.
  const schema = `greenroom_check_${randomBytes(8).toString('hex')}`;
  const [[existing] = []] = await session.batch([
    { text: `select from pg_catalog.pg_extension where extname = 'amcheck'` },
  ]);
  await session.batch([
    ...(version >= EVENT_TRIGGERS_VERSION ? [{ text: 'set local event_triggers = off' }] : []),
    { text: `create schema ${schema}` },
    existing === undefined
      ? { text: `create extension amcheck schema ${schema}` }
      : { text: `alter extension amcheck set schema ${schema}` },
  ]);
  return schema;
}

function relationOf({ oid, name }: Record<string, unknown>): Relation {
  return { oid: String(oid), name: String(name) };
}

type Report = (relation: Relation, error: pg.DatabaseError) => void;

/** Returns the first damaged page of each table. */
async function findDamagedPages(
  session: Session,
  amcheck: string,
  tables: readonly Table[],
  report: Report,
): Promise<{ name: string; message: string }[]> {
  const found = await checkEach(session, tables, report, (group) => ({
    text: `select checked.oid::text as oid, page.blkno as block, page.msg as message
      from unnest($1::oid[]) checked(oid),
      lateral ${amcheck}.verify_heapam(checked.oid, on_error_stop => true, check_toast => true) page`,
    values: [group.map(({ oid }) => oid)],
  }));
  const names = new Map(tables.map(({ oid, name }) => [oid, name]));
  return found.map(({ oid, block, message }) => ({
    name: names.get(String(oid)) ?? String(oid),
    message: `block ${block}: ${message}`,
  }));
}

/** Reports indexes that are not in order or lack a row of their table. */
async function checkIndexes(
  session: Session,
  amcheck: string,
  indexes: readonly Relation[],
  report: Report,
): Promise<void> {
  await checkEach(session, indexes, report, (group) => ({
    text: `select ${amcheck}.bt_index_check(oid, true) from unnest($1::oid[]) checked(oid)`,
    values: [group.map(({ oid }) => oid)],
  }));
}

/**
 * Returns the number of rows of each table by its OID, and a sentence for each table whose index has another number.
 * @param session in a transaction with one snapshot: both counts of a table see the same rows, also of one that is written
 *   meanwhile
 */
async function countRows(
  session: Session,
  tables: readonly Table[],
  report: Report,
): Promise<{ rows: Map<string, number>; differences: string[] }> {
  const countEach = async (counted: readonly Table[]) => {
    const rows = await checkEach(session, counted, report, (group) => ({
      text: group
        .map(({ oid, name }) => `select '${oid}' as oid, count(*)::float8 as rows from only ${name}`)
        .join(' union all '),
    }));
    return new Map(rows.map((row) => [String(row.oid), Number(row.rows)]));
  };
  await session.batch([
    { text: 'set local enable_bitmapscan = off' },
    { text: 'set local enable_indexscan = off' },
    { text: 'set local enable_indexonlyscan = off' },
  ]);
  const byTable = await countEach(tables);
  await session.batch([
    { text: 'set local enable_seqscan = off' },
    { text: 'set local enable_indexscan = on' },
    { text: 'set local enable_indexonlyscan = on' },
  ]);
  const withIndex = tables.filter(({ hasFullIndex }) => hasFullIndex);
  const byIndex = await countEach(withIndex);
  const differences = withIndex.flatMap(({ oid, name }) => {
    const [inTable, inIndex] = [byTable.get(oid), byIndex.get(oid)];
    // A count that has failed was reported.
    if (inTable === undefined || inIndex === undefined || inTable === inIndex) return [];
    return [`table ${name}: a scan of the table finds ${inTable} rows, a scan of its index ${inIndex}`];
  });
  return { rows: byTable, differences };
}
