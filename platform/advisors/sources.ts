/** Relations that the queries of lints share, as common table expressions. PostgreSQL evaluates only those that a query uses. */

/**
 * $1: schemas of the data API; $2: schemas that do not belong to the project.
 * - `exposed`: the schemas of the data API
 * - `api_role`: the roles of requests with a key that clients have
 * - `relation`: tables, views, materialized views and foreign tables
 * - `policy`: policies of row-level security
 * - `routine`: functions and procedures of the project
 */
export const SOURCES = `
with exposed(schema) as (
  select unnest($1::text[])
),
platform(schema) as (
  select unnest($2::text[])
),
api_role(name, oid) as (
  select rolname::text, oid from pg_roles where rolname in ('anon', 'authenticated')
),
relation as (
  select
    c.oid,
    n.nspname::text as schema,
    c.relname::text as name,
    c.relkind as kind,
    case c.relkind
      when 'v' then 'view'
      when 'm' then 'materialized view'
      when 'f' then 'foreign table'
      else 'table'
    end as type,
    c.relispartition as is_partition,
    c.relrowsecurity as has_rls,
    coalesce(
      (select o.option_value::boolean from pg_options_to_table(c.reloptions) o where o.option_name = 'security_invoker'),
      false
    ) as is_invoker,
    -- Neither of the platform nor of an extension.
    n.nspname not in (select schema from platform) and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    ) as is_own,
    n.nspname in (select schema from exposed) as is_exposed,
    -- Also rights on single columns.
    exists (select from api_role a where has_any_column_privilege(a.oid, c.oid, 'select')) as is_readable
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't' and n.nspname !~ '^pg_'
),
policy as (
  select
    r.oid,
    r.schema,
    r.name,
    r.type,
    r.has_rls,
    r.is_own,
    p.polname::text as policy_name,
    p.polpermissive as is_permissive,
    case p.polcmd
      when 'r' then 'SELECT'
      when 'a' then 'INSERT'
      when 'w' then 'UPDATE'
      when 'd' then 'DELETE'
      else 'ALL'
    end as command,
    p.polroles as role_oids,
    array(
      select case x.oid when 0 then 'public' else pg_get_userbyid(x.oid)::text end
      from unnest(p.polroles) with ordinality x(oid, position)
      order by x.position
    ) as roles,
    pg_get_expr(p.polqual, p.polrelid) as qual,
    pg_get_expr(p.polwithcheck, p.polrelid) as with_check
  from pg_policy p
  join relation r on r.oid = p.polrelid
),
routine as (
  select
    p.oid,
    n.nspname::text as schema,
    p.proname::text as name,
    pg_get_function_identity_arguments(p.oid) as arguments,
    l.lanname::text as language,
    p.prorettype as result_type,
    p.prosecdef as is_definer,
    p.proconfig as settings,
    md5(p.prosrc) as source_hash,
    n.nspname in (select schema from exposed) as is_exposed
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  where p.prokind in ('f', 'p')
    and n.nspname !~ '^pg_'
    and n.nspname not in (select schema from platform)
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    )
)
`;
