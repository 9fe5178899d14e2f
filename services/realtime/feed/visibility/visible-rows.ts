/**
 * Determines which rows a role and claims can currently select under the policies of the database. Rows are found by
 * their primary keys, with one statement per table.
 */
import { createHash } from 'node:crypto';
import { quoteIdentifier, type Statement } from '@greenroom/postgres';
import type { FeedDatabase } from '../database.ts';
import { isTransient, sqlStateOf } from '../database.ts';
import type { Identity } from '../feed.ts';
import { type Rights, readRights, rightsStatements } from './rights.ts';
import { assumeIdentity, RESTORE_SESSION } from './settings.ts';

const QUERY_CANCELED = '57014';
const TEXT_ARRAY = 1009;

/** A column of a primary key. */
export interface KeyColumn {
  name: string;
  /** OID of the array of its type; 0 if the type has none. */
  arrayOid: number;
  /** The type in SQL. */
  typeText: string;
}

/** Rows of one table, by primary key. */
export interface RowsToCheck {
  oid: number;
  schema: string;
  table: string;
  key: readonly KeyColumn[];
  /** The key of each row, as texts in the order of `key`. */
  rows: readonly (readonly string[])[];
}

/** Rows to check for a role and claims. The rights of the role on the tables `oids` are loaded as well. */
export interface RowCheck {
  identity: Identity;
  tables: readonly RowsToCheck[];
  oids: readonly number[];
}

/** The result of a check. */
export interface Visibility {
  /** Indexes of the visible rows of each table. */
  visible: readonly ReadonlySet<number>[];
  /** The rights of the role, read after the rows; possibly those on other tables, too. */
  rights: Rights;
  /** Whether a policy failed for a row, which then counts as not visible. */
  hasFailed: boolean;
}

/** A check took longer than the statement timeout. */
export class VisibilityTimeout extends Error {
  override readonly name = 'VisibilityTimeout';
}

/** Returns statements that select the visible rows of each table as the role and claims. */
export function rowStatements({ identity, tables }: RowCheck): Statement[] {
  return [assumeIdentity(identity), ...tables.map((table) => visibleStatement(table, identity))];
}

/** Returns the indexes of the visible rows of each table. @param results those of {@link rowStatements} */
export function readVisible(
  { tables }: RowCheck,
  results: readonly Record<string, unknown>[][],
): ReadonlySet<number>[] {
  return tables.map((_, index) => numbersOf(results[index + 1] ?? []));
}

/**
 * Checks rows under row-level security. A row whose policies fail is not visible. Rejects with a
 * {@link VisibilityTimeout}, and with errors of the connection.
 */
export async function findVisibleRows(database: FeedDatabase, check: RowCheck): Promise<Visibility> {
  const { identity, tables, oids } = check;
  const rights = rightsStatements(identity.role, oids);
  try {
    const results = await database.batch([...rowStatements(check), ...rights, ...RESTORE_SESSION]);
    return {
      visible: readVisible(check, results),
      rights: readRights(results.at(-1 - RESTORE_SESSION.length) ?? []),
      hasFailed: false,
    };
  } catch (error) {
    throwIfNotAboutRows(error);
  }
  // A policy failed for one row, and with it the whole batch: check each table alone, down to single rows.
  const visible: ReadonlySet<number>[] = [];
  for (const table of tables) visible.push(await findByBisection(database, identity, table));
  const [, rows = []] = await database.batch(rights);
  return { visible, rights: readRights(rows), hasFailed: true };
}

/** Bisects a failing batch until the failing rows are isolated. */
async function findByBisection(
  database: FeedDatabase,
  identity: Identity,
  table: RowsToCheck,
): Promise<Set<number>> {
  try {
    const [, rows = []] = await database.batch([
      assumeIdentity(identity),
      visibleStatement(table, identity),
      ...RESTORE_SESSION,
    ]);
    return numbersOf(rows);
  } catch (error) {
    throwIfNotAboutRows(error);
  }
  if (table.rows.length <= 1) return new Set();
  const middle = Math.ceil(table.rows.length / 2);
  const first = await findByBisection(database, identity, { ...table, rows: table.rows.slice(0, middle) });
  const second = await findByBisection(database, identity, { ...table, rows: table.rows.slice(middle) });
  return new Set([...first, ...[...second].map((index) => index + middle)]);
}

function throwIfNotAboutRows(error: unknown): void {
  if (sqlStateOf(error) === QUERY_CANCELED)
    throw new VisibilityTimeout('policies exceeded the statement timeout', { cause: error });
  if (isTransient(error)) throw error;
}

function numbersOf(rows: readonly Record<string, unknown>[]): Set<number> {
  return new Set(rows.map(({ n }) => Number(n) - 1));
}

/** Selects only columns of the key: a role that may not select these cannot receive the row at all. */
function visibleStatement({ oid, schema, table, key, rows }: RowsToCheck, { role }: Identity): Statement {
  const parameters = key.map(({ arrayOid, typeText }, index) => ({
    type: arrayOid === 0 ? TEXT_ARRAY : arrayOid,
    value: arrayOid === 0 ? `k.v${index}::${typeText}` : `k.v${index}`,
  }));
  const names = parameters.map((_, index) => `v${index}`).join(', ');
  const conditions = key
    .map(({ name }, index) => `t.${quoteIdentifier(name)} = ${parameters[index]?.value}`)
    .join(' and ');
  const text = `select k.n from rows from (${unnestAll(parameters.length)}) with ordinality as k(${names}, n)
    join ${quoteIdentifier(schema)}.${quoteIdentifier(table)} as t on ${conditions}`;
  return {
    text,
    values: key.map((_, index) => rows.map((row) => row[index])),
    types: parameters.map(({ type }) => type),
    // A plan contains the policies of one role, and the name and key of the table may change.
    name: createHash('sha256')
      .update(JSON.stringify([role, oid, text, parameters]))
      .digest('base64url'),
  };
}

function unnestAll(count: number): string {
  return Array.from({ length: count }, (_, index) => `pg_catalog.unnest($${index + 1})`).join(', ');
}
