/** Lists objects of the database, in the format of postgres-meta. */
import { type RawClient, runLimited } from '@greenroom/postgres';
import { z } from 'zod';
import { parseBody, sqlText } from '../run/run-request.ts';
import { LISTINGS, type ListingKind } from './listings.ts';

const MAX_OBJECTS = 1000;
const DEFAULT_OBJECTS = 100;
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT = '10s';

const schemaNames = sqlText(100_000)
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .optional();

const listFilter = z.strictObject({
  /** Names of schemas, separated by commas. */
  included_schemas: schemaNames,
  excluded_schemas: schemaNames,
  include_system_schemas: z.enum(['true', 'false']).default('false'),
  /** Name of the table to which the objects belong. */
  table: sqlText(63).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_OBJECTS).default(DEFAULT_OBJECTS),
  offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
});

/** Which objects to list. */
type ListFilter = z.output<typeof listFilter>;

/** Validates the parameters of a URL. Throws an error of the catalogue. */
export function parseListFilter(query: unknown): ListFilter {
  return parseBody(listFilter, query);
}

/** Rejects with pg's `DatabaseError`. */
export async function listObjects(
  client: RawClient,
  kind: ListingKind,
  filter: ListFilter,
): Promise<Record<string, unknown>[]> {
  await runLimited(client, { text: `set statement_timeout = '${TIMEOUT}'`, maxRows: 0, maxBytes: 0 });
  const { rows } = await runLimited(client, {
    text: queryOf(kind),
    values: valuesOf(filter),
    maxRows: 1,
    maxBytes: MAX_BYTES,
  });
  return JSON.parse(rows[0]?.[0] ?? '[]') as Record<string, unknown>[];
}

/** The objects of a page are chosen first, so that only they are described. */
function queryOf(kind: ListingKind): string {
  return `
    with filter as materialized (
      select $1::text[] as included, $2::text[] as excluded, $3::boolean as has_system, $4::text as table_name
    ), namespace as materialized (
      select n.oid, n.nspname from pg_catalog.pg_namespace n, filter f
      where (f.included is null or n.nspname = any (f.included))
        and (f.excluded is null or n.nspname <> all (f.excluded))
        and (f.has_system or not (n.nspname = 'information_schema' or n.nspname like 'pg\\_%'))
    ), listed as (${LISTINGS[kind]})
    select coalesce(json_agg(listed), '[]') from listed`;
}

function valuesOf(filter: ListFilter): (string | null)[] {
  const { included_schemas: included, excluded_schemas: excluded, table, limit, offset } = filter;
  return [
    arrayOf(included),
    arrayOf(excluded),
    filter.include_system_schemas,
    table ?? null,
    String(limit),
    String(offset),
  ];
}

function arrayOf(names: readonly string[] | undefined): string | null {
  return names === undefined
    ? null
    : `{${names.map((name) => `"${name.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
