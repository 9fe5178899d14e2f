/** The queries of definitions. Each returns one value of JSON, in the format of `definition.ts`. */

/** A query with its parameters. */
export interface DefinitionQuery {
  sql: string;
  parameters: readonly string[];
}

/** Names and values do not depend on the search path of the connection. */
const TABLE = `
  select jsonb_build_object(
    'schema', n.nspname, 'name', c.relname, 'comment', obj_description(c.oid, 'pg_class'),
    'has_row_security', c.relrowsecurity, 'forces_row_security', c.relforcerowsecurity,
    'columns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'default', case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
        'is_not_null', a.attnotnull,
        'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
        'generated', case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end,
        'comment', col_description(c.oid, a.attnum)) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]'),
    'constraints', coalesce((
      select jsonb_agg(jsonb_build_object('name', k.conname, 'kind', k.contype, 'definition', pg_get_constraintdef(k.oid))
        order by array_position('{p,u,f,c,x}'::text[], k.contype::text), k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'f', 'u', 'c', 'x')), '[]'),
    'indexes', coalesce((
      select jsonb_agg(jsonb_build_object('name', ic.relname, 'definition', pg_get_indexdef(i.indexrelid),
        'is_valid', i.indisvalid, 'is_of_constraint',
        exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)) order by ic.relname)
      from pg_index i join pg_class ic on ic.oid = i.indexrelid where i.indrelid = c.oid), '[]'),
    'triggers', coalesce((
      select jsonb_agg(jsonb_build_object('name', t.tgname, 'definition', pg_get_triggerdef(t.oid),
        'is_enabled', t.tgenabled <> 'D') order by t.tgname)
      from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '[]'),
    'publications', coalesce((
      select jsonb_agg(p.pubname order by p.pubname) from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
      where r.prrelid = c.oid), '[]'),
    'policies', (select count(*) from pg_policy p where p.polrelid = c.oid))
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p')`;

const FUNCTION = `
  select jsonb_build_object('schema', n.nspname, 'name', p.proname, 'arguments', pg_get_function_identity_arguments(p.oid),
    'returns', pg_get_function_result(p.oid), 'language', l.lanname, 'statement', pg_get_functiondef(p.oid), 'body', p.prosrc,
    'behavior', case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    'is_security_definer', p.prosecdef)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
  where n.nspname = $1 and p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' = $2 and p.prokind in ('f', 'p')`;

const ENUM = `
  select jsonb_build_object('name', t.typname, 'values', (
    select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where n.nspname = $1 and t.typname = $2 and t.typtype = 'e'`;

const PUBLICATION_OBJECT = `jsonb_build_object('name', p.pubname, 'operations', to_jsonb(array_remove(array[
      case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end,
      case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end], null)),
    'tables', case when not p.puballtables then coalesce((
      select jsonb_agg(jsonb_build_object('schema', n.nspname, 'name', c.relname) order by n.nspname, c.relname)
      from pg_publication_rel r join pg_class c on c.oid = r.prrelid join pg_namespace n on n.oid = c.relnamespace
      where r.prpubid = p.oid), '[]') end)`;

const PUBLICATION = `select ${PUBLICATION_OBJECT} from pg_publication p where $1::text is not null and p.pubname = $2`;

const EXTENSION = `
  select jsonb_build_object('name', e.name, 'version', x.extversion)
  from pg_available_extensions() e left join pg_extension x on x.extname = e.name
  where $1::text is not null and e.name = $2`;

const QUERIES = {
  table: TABLE,
  function: FUNCTION,
  enum: ENUM,
  publication: PUBLICATION,
  extension: EXTENSION,
} as const;

/** The kind of an object with a definition. */
export type DefinedKind = keyof typeof QUERIES;

/** Returns the query of a definition; it has no row if there is no such object. A function has its arguments in its name. */
export function definitionQuery(kind: DefinedKind, schema: string, name: string): DefinitionQuery {
  return {
    sql: `select definition, md5(definition::text) as hash from (${QUERIES[kind]}) found(definition)`,
    parameters: [schema, name],
  };
}

/** Returns the query of the hash of a definition, for the guard of a migration. */
export function hashQuery(kind: DefinedKind, schema: string, name: string): DefinitionQuery {
  const { sql, parameters } = definitionQuery(kind, schema, name);
  return { sql: `select hash from (${sql}) hashed`, parameters };
}

const MAX_LISTED = 5000;

const OBJECTS = `
  with namespace as (select oid from pg_namespace where nspname = $1)
  select jsonb_build_object(
    'schemas', (select jsonb_agg(nspname order by nspname) from pg_namespace
      where nspname <> 'information_schema' and nspname not like 'pg\\_%'),
    'tables', coalesce((select jsonb_agg(t) from (
      select c.relname as name, obj_description(c.oid, 'pg_class') as comment, c.relrowsecurity as has_row_security
      from pg_class c where c.relnamespace = (select oid from namespace) and c.relkind in ('r', 'p')
      order by c.relname limit ${MAX_LISTED}) t), '[]'),
    'enums', coalesce((select jsonb_agg(t) from (
      select t.typname as name, (select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
        as values
      from pg_type t where t.typnamespace = (select oid from namespace) and t.typtype = 'e'
      order by t.typname limit ${MAX_LISTED}) t), '[]'),
    'functions', coalesce((select jsonb_agg(t) from (
      select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as returns,
        l.lanname as language
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = (select oid from namespace) and p.prokind in ('f', 'p')
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      order by p.proname, 2 limit ${MAX_LISTED}) t), '[]'),
    'publications', coalesce((select jsonb_agg(${PUBLICATION_OBJECT} order by p.pubname) from pg_publication p), '[]'),
    'extensions', (select jsonb_agg(jsonb_build_object('name', e.name, 'version', x.extversion, 'schema', n.nspname,
        'comment', e.comment) order by e.name)
      from pg_available_extensions() e left join pg_extension x on x.extname = e.name
      left join pg_namespace n on n.oid = x.extnamespace),
    'types', coalesce((select jsonb_agg(name) from (
      select format_type(t.oid, null) as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where t.typtype in ('e', 'd', 'c') and (t.typrelid = 0 or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
        and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      order by 1 limit ${MAX_LISTED}) t), '[]'),
    'trigger_functions', coalesce((select jsonb_agg(name) from (
      select quote_ident(n.nspname) || '.' || quote_ident(p.proname) as name
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prorettype = 'trigger'::regtype and n.nspname <> 'pg_catalog' and p.pronargs = 0
      order by n.nspname <> $1, 1 limit ${MAX_LISTED}) t), '[]')) as objects`;

/** Returns the query of the objects of a schema. */
export function objectsQuery(schema: string): DefinitionQuery {
  return { sql: OBJECTS, parameters: [schema] };
}

const MAX_DEPENDENTS = 50;

/** The address of an object in `pg_depend`. */
const ADDRESSES = {
  table: `select 'pg_class'::regclass::oid, c.oid, 0 from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relname = $2 and $3::text is not null`,
  column: `select 'pg_class'::regclass::oid, c.oid, a.attnum::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid where n.nspname = $1 and c.relname = $2 and a.attname = $3`,
  constraint: `select 'pg_constraint'::regclass::oid, k.oid, 0 from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.conname = $3`,
  enum: `select 'pg_type'::regclass::oid, t.oid, 0 from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where n.nspname = $1 and $2::text is not null and t.typname = $3`,
  function: `select 'pg_proc'::regclass::oid, p.oid, 0 from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = $1 and $2::text is not null
      and p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' = $3`,
  extension: `select 'pg_extension'::regclass::oid, x.oid, 0 from pg_extension x
    where $1::text is not null and $2::text is not null and x.extname = $3`,
} as const;

/** The kind of an object that others can depend on. */
export type DependedKind = keyof typeof ADDRESSES;

/**
 * Returns the query of the objects that depend on another one. Parts that are dropped with an object in any case, such as its
 * indexes, are no dependents; objects that depend on those parts are.
 */
export function dependentsQuery(
  kind: DependedKind,
  names: readonly [string, string, string],
): DefinitionQuery {
  return {
    sql: `with recursive object(classid, objid, objsubid, deptype) as (
        select *, 'x'::"char" from (${ADDRESSES[kind]}) address
        union
        select d.classid, d.objid, d.objsubid, d.deptype
        from object o join pg_depend d on d.refclassid = o.classid and d.refobjid = o.objid
          and (o.objsubid = 0 or d.refobjsubid = o.objsubid)
        where d.deptype in ('n', 'a', 'i') and (d.classid, d.objid) is distinct from (o.classid, o.objid)
      )
      select distinct case classid
        when 'pg_rewrite'::regclass then (select pg_describe_object('pg_class'::regclass, r.ev_class, 0) from pg_rewrite r
          where r.oid = objid)
        else pg_describe_object(classid, objid, objsubid) end as description
      from object where deptype = 'n' order by 1 limit ${MAX_DEPENDENTS}`,
    parameters: names,
  };
}
