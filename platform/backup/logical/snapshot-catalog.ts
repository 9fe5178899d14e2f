/** Reads which tables, sequences and large objects a database has. */
import type { SnapshotSession } from '@greenroom/dump';
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';

const SEQUENCES_AT_ONCE = 500;
const LARGE_OBJECTS_AT_ONCE = 1000;

/** A table with rows. */
export interface CopiedTable {
  schema: string;
  name: string;
  /** Columns that are not generated. */
  columns: string[];
  /** The extension that the table belongs to. */
  extension: string | null;
  /** The rows of that extension which are not its own, as `where …`. */
  condition: string | null;
}

/** Relations that belong to an extension, except for those whose rows the extension leaves to the database. */
const RELATIONS = `
  from pg_catalog.pg_class relation
  join pg_catalog.pg_namespace namespace on namespace.oid = relnamespace
  left join pg_catalog.pg_depend membership on membership.classid = 'pg_catalog.pg_class'::regclass
    and membership.objid = relation.oid and membership.objsubid = 0 and membership.deptype = 'e'
  left join pg_catalog.pg_extension extension on extension.oid = membership.refobjid
  where nspname !~ '^pg_' and nspname <> 'information_schema'
    and (extension.oid is null or relation.oid = any (extension.extconfig))`;

const TABLES = `
  select nspname as schema, relname as name, extname as extension,
    coalesce(
      (select json_agg(attname order by attnum) from pg_catalog.pg_attribute
        where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = ''),
      '[]'
    ) as columns,
    (select nullif(extcondition[number], '') from generate_subscripts(extconfig, 1) as number
      where extconfig[number] = relation.oid) as condition
  ${RELATIONS} and relkind = 'r'
  order by nspname collate "C", relname collate "C"`;

/** Returns the tables in an order that does not depend on the server. Partitions are tables, partitioned tables are not. */
export function readTables(session: SnapshotSession): Promise<CopiedTable[]> {
  return session.query<CopiedTable>(TABLES);
}

/** Returns the statement that reads the rows of a table. */
export function copyRowsOf({ schema, name, columns, condition }: CopiedTable): string {
  const table = tableText({ schema, name });
  // Without a list of columns, PostgreSQL leaves out generated ones, too.
  if (condition === null) return `copy ${table} ${columnsText(columns)} to stdout`;
  return `copy (select ${columns.map(quoteIdentifier).join(', ')} from ${table} ${condition}) to stdout`;
}

/** Returns `schema.name`, quoted. */
export function tableText({ schema, name }: { schema: string; name: string }): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** Returns the columns in parentheses, or nothing if there are none. */
export function columnsText(columns: readonly string[]): string {
  return columns.length === 0 ? '' : `(${columns.map(quoteIdentifier).join(', ')})`;
}

/** Returns the SQL that sets all sequences. They do not belong to the snapshot, so their values may be later ones. */
export async function readSequences(session: SnapshotSession): Promise<string> {
  const sequences = await session.query<{ schema: string; name: string }>(
    `select nspname as schema, relname as name ${RELATIONS} and relkind = 'S'
      order by nspname collate "C", relname collate "C"`,
  );
  const lines: string[] = [];
  for (let at = 0; at < sequences.length; at += SEQUENCES_AT_ONCE) {
    const names = sequences.slice(at, at + SEQUENCES_AT_ONCE).map(tableText);
    const values = await session.query<{ place: number; value: string; called: boolean }>(
      names
        .map(
          (name, place) => `select ${place} as place, last_value as value, is_called as called from ${name}`,
        )
        .join(' union all '),
    );
    for (const { place, value, called } of values.toSorted((one, other) => one.place - other.place))
      lines.push(`SELECT pg_catalog.setval(${quoteLiteral(names[place] ?? '')}, ${value}, ${called});\n`);
  }
  return lines.join('');
}

/** A large object. */
interface LargeObject {
  oid: number;
  /** SQL of its owner, rights and comment. */
  rights: string;
}

const LARGE_OBJECTS = `
  select oid::int8::float8 as oid, concat(
    format(E'ALTER LARGE OBJECT %s OWNER TO "%s";\\n', oid, replace(pg_catalog.pg_get_userbyid(lomowner), '"', '""')),
    (select string_agg(format(E'GRANT %s ON LARGE OBJECT %s TO %s%s;\\n', privilege_type, large.oid,
        case grantee when 0 then 'PUBLIC' else '"' || replace(pg_catalog.pg_get_userbyid(grantee), '"', '""') || '"' end,
        case when is_grantable then ' WITH GRANT OPTION' else '' end), '')
      from pg_catalog.aclexplode(lomacl) where grantee <> lomowner),
    (select format(E'COMMENT ON LARGE OBJECT %s IS %L;\\n', large.oid, description) from pg_catalog.pg_description
      where objoid = large.oid and classoid = 'pg_catalog.pg_largeobject'::regclass)
  ) as rights
  from pg_catalog.pg_largeobject_metadata large where oid > $1 order by oid limit ${LARGE_OBJECTS_AT_ONCE}`;

/** Yields all large objects. */
export async function* readLargeObjects(session: SnapshotSession): AsyncGenerator<LargeObject> {
  for (let last = 0; ; ) {
    const found = await session.query<LargeObject>(LARGE_OBJECTS, [last]);
    yield* found;
    if (found.length < LARGE_OBJECTS_AT_ONCE) return;
    last = found.at(-1)?.oid ?? last;
  }
}
