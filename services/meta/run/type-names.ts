/** The names of the types of results. */
import { type RawClient, type ResultColumn, runLimited } from '@greenroom/postgres';

/** By OID. */
export type TypeNames = ReadonlyMap<number, string>;

/** Types of most columns, which need no query (PostgreSQL's catalog, pg_type.dat; these OIDs never change). */
const KNOWN: TypeNames = new Map([
  [16, 'boolean'],
  [17, 'bytea'],
  [19, 'name'],
  [20, 'bigint'],
  [21, 'smallint'],
  [23, 'integer'],
  [25, 'text'],
  [26, 'oid'],
  [114, 'json'],
  [700, 'real'],
  [701, 'double precision'],
  [1043, 'character varying'],
  [1082, 'date'],
  [1114, 'timestamp without time zone'],
  [1184, 'timestamp with time zone'],
  [1700, 'numeric'],
  [2950, 'uuid'],
  [3802, 'jsonb'],
]);

const QUERY =
  'select oid, pg_catalog.format_type(oid, null) from pg_catalog.pg_type where oid = any ($1::oid[])';
const MAX_TYPES = 2000;

/** Returns the names of the types of columns. Queries the database only for uncommon types. */
export async function typeNamesOf(client: RawClient, columns: readonly ResultColumn[]): Promise<TypeNames> {
  const unknown = new Set(columns.map(({ type }) => type).filter((type) => !KNOWN.has(type)));
  if (unknown.size === 0) return KNOWN;
  const values = [`{${[...unknown].join(',')}}`];
  const { rows } = await runLimited(client, {
    text: QUERY,
    values,
    maxRows: MAX_TYPES,
    maxBytes: 1024 * 1024,
  });
  return new Map([...KNOWN, ...rows.map(([oid, name]) => [Number(oid), name ?? ''] as const)]);
}
