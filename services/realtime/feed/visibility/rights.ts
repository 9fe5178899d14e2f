/**
 * Loads the columns of tables that a role may currently select. Results are not cached, because a revoked privilege
 * must take effect at once. Calls in the same turn of the event loop share one statement.
 */
import type { Statement } from '@greenroom/postgres';
import type { FeedDatabase } from '../database.ts';
import { PLAN_ONCE } from './settings.ts';

/** The rights of one role on an existing table. */
export interface TableRights {
  /** The current name of the table. */
  schema: string;
  table: string;
  hasRls: boolean;
  /** Whether policies do not apply to the role. */
  bypassesRls: boolean;
  /** Columns of the primary key in order; empty if the table has none. */
  primaryKey: readonly string[];
  /** Columns that the role may select. */
  selectable: ReadonlyMap<string, SelectableColumn>;
  /** Equal for equal rights. */
  signature: string;
}

/** Distinguishes a column from a later one with the same name. */
interface SelectableColumn {
  typeOid: number;
  /** `pg_attribute.attnum`, which is never reused within a table. */
  number: number;
}

/** Rights by the OIDs of tables. Tables that no longer exist are missing. */
export type Rights = ReadonlyMap<number, TableRights>;

interface RightsRow {
  oid: number;
  schema: string;
  table: string;
  hasRls: boolean;
  bypassesRls: boolean | null;
  primaryKey: string[];
  selectable: [name: string, typeOid: number, number: number][];
}

/** Returns statements that load the rights of a role, for a batch as any role. The last one returns the rows. */
export function rightsStatements(role: string, oids: readonly number[]): [Statement, Statement] {
  return [PLAN_ONCE, rightsStatement(role, oids)];
}

function rightsStatement(role: string, oids: readonly number[]): Statement {
  return {
    text: `
      select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as table, c.relrowsecurity as "hasRls",
        (select r.rolsuper or r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = $1) as "bypassesRls",
        array(
          select a.attname::text
          from pg_catalog.pg_index i
            cross join pg_catalog.unnest(i.indkey) with ordinality as k(attnum, n)
            join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
          where i.indrelid = c.oid and i.indisprimary and k.n <= i.indnkeyatts
          order by k.n
        ) as "primaryKey",
        coalesce((
          select pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, a.atttypid::int8, a.attnum) order by a.attnum)
          from pg_catalog.pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and pg_catalog.has_schema_privilege($1::name, c.relnamespace, 'usage')
            and pg_catalog.has_column_privilege($1::name, c.oid, a.attnum, 'select')
        ), '[]') as selectable
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.oid = any($2::oid[])`,
    values: [role, oids],
    name: 'rights',
  };
}

/** Converts the rows of the last statement of {@link rightsStatements}. */
export function readRights(rows: readonly Record<string, unknown>[]): Rights {
  return new Map(
    (rows as unknown as RightsRow[]).map((row) => [
      row.oid,
      {
        schema: row.schema,
        table: row.table,
        hasRls: row.hasRls,
        bypassesRls: row.bypassesRls === true,
        primaryKey: row.primaryKey,
        selectable: new Map(row.selectable.map(([name, typeOid, number]) => [name, { typeOid, number }])),
        signature: JSON.stringify([row.hasRls, row.primaryKey, row.selectable]),
      },
    ]),
  );
}

/** Loads the rights of a role on tables, as they are at the time of the call or later. */
export type LoadRights = (role: string, oids: readonly number[]) => Promise<Rights>;

/** Creates a loader. Calls in the same turn of the event loop share one statement per role. */
export function createRightsLoader(database: FeedDatabase): LoadRights {
  const waiting = new Map<string, { oids: Set<number>; rights: Promise<Rights> }>();
  return async (role, oids) => {
    const existing = waiting.get(role);
    if (existing) {
      for (const oid of oids) existing.oids.add(oid);
      return existing.rights;
    }
    const missing = new Set(oids);
    const rights = Promise.resolve().then(async () => {
      waiting.delete(role);
      const [, rows = []] = await database.batch(rightsStatements(role, [...missing]));
      return readRights(rows);
    });
    waiting.set(role, { oids: missing, rights });
    return rights;
  };
}
