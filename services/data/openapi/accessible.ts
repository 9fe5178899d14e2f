/**
 * Determines the relations and functions of a schema that a role may use. The query runs as the role in the transaction
 * of the request, so that PostgreSQL decides; the schema cache does not contain privileges.
 */
import { z } from 'zod';

/** The privileges of a role on a relation. A privilege on some of its columns is sufficient. */
export interface RelationAccess {
  isReadable: boolean;
  isInsertable: boolean;
  isUpdatable: boolean;
  isDeletable: boolean;
}

/** The parts of a schema that a role may use, and the description of the schema. */
export interface Accessible {
  /** The comment of the schema. */
  description: string | null;
  /** Privileges by the name of the relation. Undefined if privileges are ignored, which includes all relations. */
  relations: ReadonlyMap<string, RelationAccess> | undefined;
  /** Keys from {@link signatureOf}. Undefined if privileges are ignored, which includes all functions. */
  functions: ReadonlySet<string> | undefined;
}

/** Returns a key of a function within a schema. Overloads differ in the types of their parameters. */
export function signatureOf(name: string, types: readonly string[]): string {
  return JSON.stringify([name, ...types]);
}

const PRIVILEGES = {
  relations: `(
    select coalesce(json_agg(json_build_array(r.relname, r.reads, r.inserts, r.updates, r.deletes) order by r.relname), '[]')
    from (
      select c.relname,
        has_any_column_privilege(c.oid, 'select') as reads,
        has_any_column_privilege(c.oid, 'insert') as inserts,
        has_any_column_privilege(c.oid, 'update') as updates,
        has_table_privilege(c.oid, 'delete') as deletes
      from pg_class c
      where c.relnamespace = n.oid and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
    ) r
    where (r.reads or r.inserts or r.updates or r.deletes) and has_schema_privilege(n.oid, 'usage')
  )`,
  // Formats types as with an empty search path, independent of the search path of the request.
  functions: `(
    select coalesce(json_agg(json_build_array(p.proname, types.list) order by p.proname, types.list::text), '[]')
    from pg_proc p
      cross join lateral (
        select coalesce(json_agg(
          case
            when tn.nspname = 'pg_catalog' then format_type(t.oid, null)
            when e.oid is null then format('%I.%I', tn.nspname, t.typname)
            else format('%I.%I[]', tn.nspname, e.typname)
          end
          order by place), '[]') as list
        from unnest(p.proargtypes) with ordinality as argument (type, place)
          join pg_type t on t.oid = argument.type
          left join pg_type e on e.typarray = t.oid
          join pg_namespace tn on tn.oid = coalesce(e.typnamespace, t.typnamespace)
      ) types
    where p.pronamespace = n.oid and p.prokind = 'f' and has_function_privilege(p.oid, 'execute')
      and has_schema_privilege(n.oid, 'usage')
  )`,
} as const;

/**
 * Returns the statement: it returns one row with the columns of `MAIN_COLUMNS`; {@link readAccessible} parses its body.
 * The body changes only if the privileges of the role or the schema change. A schema that does not exist counts as
 * empty.
 * @param mode `ignore-privileges` queries only the comment
 */
export function accessibleStatement(
  schema: string,
  mode: 'follow-privileges' | 'ignore-privileges',
): { text: string; values: readonly string[] } {
  const follows = mode === 'follow-privileges';
  return {
    text: `select null::bigint as total_count, 1::bigint as page_count, null::bigint as inserted_count,
  null::text as location,
  nullif(current_setting('response.headers', true), '') as response_headers,
  nullif(current_setting('response.status', true), '') as response_status,
  json_build_object(
    'description', obj_description(n.oid, 'pg_namespace'),
    'relations', ${follows ? PRIVILEGES.relations : 'null'},
    'functions', ${follows ? PRIVILEGES.functions : 'null'}
  ) as body
from (select $1::text as name) as exposed left join pg_namespace n on n.nspname = exposed.name`,
    values: [schema],
  };
}

const accessibleSchema = z.object({
  description: z.string().nullable(),
  relations: z.array(z.tuple([z.string(), z.boolean(), z.boolean(), z.boolean(), z.boolean()])).nullable(),
  functions: z.array(z.tuple([z.string(), z.array(z.string())])).nullable(),
});

/** Parses the body of {@link accessibleStatement}. Throws if it has another structure. */
export function readAccessible(body: Buffer): Accessible {
  const { description, relations, functions } = accessibleSchema.parse(JSON.parse(body.toString('utf8')));
  return {
    description,
    relations:
      relations === null
        ? undefined
        : new Map(
            relations.map(([name, isReadable, isInsertable, isUpdatable, isDeletable]) => [
              name,
              { isReadable, isInsertable, isUpdatable, isDeletable },
            ]),
          ),
    functions: functions === null ? undefined : new Set(functions.map((each) => signatureOf(...each))),
  };
}
