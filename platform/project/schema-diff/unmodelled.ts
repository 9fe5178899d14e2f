/** Objects that pg-delta does not compare: casts, operators, text search, statistics, languages and transforms. */
import { PLATFORM_SCHEMAS } from '../platform-schemas.ts';

/** An object of such a kind. */
export interface UnmodelledObject {
  /** As PostgreSQL names it, e.g. `text search configuration`. */
  kind: string;
  /** With its schema, e.g. `public.english_names`. */
  identity: string;
  /** Undefined for kinds without a schema. */
  schema: string | undefined;
}

const CATALOGS = [
  'pg_cast',
  'pg_operator',
  'pg_opclass',
  'pg_opfamily',
  'pg_ts_config',
  'pg_ts_dict',
  'pg_ts_parser',
  'pg_ts_template',
  'pg_statistic_ext',
  'pg_language',
  'pg_transform',
];

/** The first OID of objects that were created after the cluster (FirstNormalObjectId of PostgreSQL). */
const FIRST_NORMAL_OID = 16_384;

const objects = CATALOGS.map(
  (catalog) =>
    `select oid, 'pg_catalog.${catalog}'::pg_catalog.regclass as class from pg_catalog.${catalog} where oid >= ${FIRST_NORMAL_OID}`,
).join('\n  union all ');

/** Returns kind, identity and schema of the objects, without those of extensions and of other objects such as ranges. */
const UNMODELLED = `
  select i.type as kind, i.identity, i.schema
  from (${objects}) o, pg_catalog.pg_identify_object(o.class, o.oid, 0) i
  where not exists (
      select from pg_catalog.pg_depend d
      where d.classid = o.class and d.objid = o.oid and d.deptype in ('e', 'i')
    )
    and (i.schema is null or i.schema <> all ($1::text[]))
  order by i.type, i.identity`;

/** Runs one query and returns its rows. */
type Query = (text: string, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;

/** Reads the objects of a database, without those of the platform. */
export async function readUnmodelled(query: Query): Promise<UnmodelledObject[]> {
  const rows = await query(UNMODELLED, [PLATFORM_SCHEMAS]);
  return rows.map(({ kind, identity, schema }) => ({
    kind: String(kind),
    identity: String(identity),
    schema: (schema as string | null) ?? undefined,
  }));
}

/** Returns the objects that only one of two databases has. */
export function differingObjects(
  one: readonly UnmodelledObject[],
  other: readonly UnmodelledObject[],
  schemas: readonly string[] | undefined,
): UnmodelledObject[] {
  const missingIn = (objects: readonly UnmodelledObject[]) => {
    const names = new Set(objects.map(nameOfObject));
    return (object: UnmodelledObject) => !names.has(nameOfObject(object));
  };
  const isCompared = ({ schema }: UnmodelledObject) =>
    schemas === undefined || (schema !== undefined && schemas.includes(schema));
  return [...one.filter(missingIn(other)), ...other.filter(missingIn(one))].filter(isCompared);
}

/** Returns the object for messages, e.g. `cast (integer AS public.color)`. */
export function nameOfObject({ kind, identity }: UnmodelledObject): string {
  return `${kind} ${identity}`;
}
