/** Decides which types restored columns have: the same as before if the live database has that type unchanged. */
import type { Session } from '@greenroom/postgres';

/** A type of a database, and the types that it consists of. */
interface TypeShape {
  /** `schema.name`, quoted. */
  id: string;
  /** Whether the current role may use it. */
  isUsable: boolean;
  /** Labels of an enum, in their order. */
  labels: readonly string[] | null;
  /** Everything else that decides about its values, e.g. attributes and constraints. */
  definition: string;
  /** Ids of the types that it consists of. */
  parts: readonly string[];
}

/** Types by their ids. */
type TypeShapes = ReadonlyMap<string, TypeShape>;

/** Values of these types are names or numbers of other objects, which may not exist any more. */
const NAMES_OBJECTS = /^pg_catalog\.(?:reg[a-z]+|aclitem|_reg[a-z]+|_aclitem)$/;

/** In the definition of a domain. */
const NOT_VALID = /\) NOT VALID"/;

const SHAPES = `
  with recursive part (type, oid) as (
    select oid, typelem from pg_catalog.pg_type
      where typsubscript = 'pg_catalog.array_subscript_handler'::pg_catalog.regproc
    union all select oid, typbasetype from pg_catalog.pg_type where typtype = 'd'
    union all select t.oid, a.atttypid from pg_catalog.pg_type t join pg_catalog.pg_attribute a on a.attrelid = t.typrelid
      where t.typtype = 'c' and a.attnum > 0 and not a.attisdropped
    union all select rngtypid, rngsubtype from pg_catalog.pg_range
    union all select rngmultitypid, rngtypid from pg_catalog.pg_range
  ), named as (
    select t.*, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(t.typname) as id
      from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  ), reachable (oid) as (
    select oid from named where id = any ($1::text[])
    union
    select part.oid from reachable r join part on part.type = r.oid
  )
  select t.id,
    pg_catalog.has_schema_privilege(t.typnamespace, 'usage') and pg_catalog.has_type_privilege(t.oid, 'usage') as "isUsable",
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid) as labels,
    pg_catalog.jsonb_build_array(
      t.typtype,
      case when t.typtype = 'd' then pg_catalog.jsonb_build_array(
        pg_catalog.format_type(t.typbasetype, t.typtypmod), t.typnotnull,
        (select pg_catalog.jsonb_agg(pg_catalog.pg_get_constraintdef(c.oid) order by pg_catalog.pg_get_constraintdef(c.oid))
          from pg_catalog.pg_constraint c where c.contypid = t.oid and c.contype = 'c')
      ) end,
      (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod))
          order by a.attnum)
        from pg_catalog.pg_attribute a
        where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)
    )::text as definition,
    array(select p.id from part join named p on p.oid = part.oid where part.type = t.oid order by p.id) as parts
  from reachable r join named t on t.oid = r.oid`;

/** Reads types and all types that they consist of. Types that do not exist are absent. The search path must be pg_catalog. */
export async function readTypeShapes(session: Session, ids: readonly string[]): Promise<TypeShapes> {
  const [rows = []] = await session.batch([{ text: SHAPES, values: [ids] }]);
  return new Map((rows as unknown as TypeShape[]).map((shape) => [shape.id, shape]));
}

/** Returns why the live database cannot have values of a type; undefined if it can. */
export function incompatibility(id: string, backup: TypeShapes, live: TypeShapes): string | undefined {
  const seen = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const reason = difference(next, backup.get(next), live.get(next));
    if (reason !== undefined) return reason;
    waiting.push(...(backup.get(next)?.parts ?? []));
  }
  return undefined;
}

function difference(
  id: string,
  backup: TypeShape | undefined,
  live: TypeShape | undefined,
): string | undefined {
  if (NAMES_OBJECTS.test(id)) return `values of ${id} name objects that may not exist any more`;
  if (live === undefined) return `the type ${id} does not exist any more`;
  if (!live.isUsable) return `the owner of the database may not use the type ${id}`;
  if (NOT_VALID.test(live.definition))
    return `values of ${id} may break a constraint that was never validated`;
  const missing = backup?.labels?.find((label) => !live.labels?.includes(label));
  if (missing !== undefined) return `the enum ${id} has no value '${missing}' any more`;
  const isSame = backup?.definition === live.definition && String(backup.parts) === String(live.parts);
  return isSame ? undefined : `the type ${id} has changed`;
}
