/**
 * What a role may use of a schema. It is asked as the role, in the transaction of the request, so that PostgreSQL itself
 * decides; the schema cache knows of no privileges.
 */
import { z } from 'zod';

/** What a role may do with a relation. A privilege on some of its columns counts. */
export interface RelationAccess {
  isReadable: boolean;
  isInsertable: boolean;
  isUpdatable: boolean;
  isDeletable: boolean;
}

/** What a role may use, and what is said about the schema. */
export interface Accessible {
  /** The comment of the schema. */
  description: string | null;
  /** By name. Undefined where privileges are ignored: everything. */
  relations: ReadonlyMap<string, RelationAccess> | undefined;
  /** Keys of {@link signatureOf}. Undefined likewise. */
  functions: ReadonlySet<string> | undefined;
}

/** Which function it is among those of a schema: overloads differ by the types of their parameters. */
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
  // Types are written as with an empty search path, whatever the one of the request is.
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
 * The statement that asks for it: one row of `MAIN_COLUMNS`, whose body {@link readAccessible} reads. The body of the
 * same role is the same as long as its privileges and the schema are. A schema that is not there has nothing in it.
 * @param mode with `ignore-privileges`, only the comment is asked for
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

/** Reads the body of {@link accessibleStatement}. Throws where it is another. */
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
