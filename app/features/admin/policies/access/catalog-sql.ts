/** Queries of the catalog: roles, tables with rights and policies, and columns. */

/** The roles of requests: those that the authenticator can switch to, the known ones first. */
const ROLES = `
  role as materialized (
    select
      r.oid,
      r.rolname::text as name,
      r.rolsuper or r.rolbypassrls as bypasses,
      row_number() over (
        order by array_position(array['anon', 'authenticated', 'service_role'], r.rolname::text), r.rolname
      ) as position
    from pg_catalog.pg_roles r
    where r.rolname in ('anon', 'authenticated', 'service_role')
      or (r.rolname <> 'authenticator' and pg_has_role(to_regrole('authenticator')::oid, r.oid, 'member'))
  )`;

/** Returns the names of the roles, and whether they bypass row-level security. */
export const ROLES_QUERY = `with ${ROLES} select name, bypasses from role order by position`;

const COMMANDS = `case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end`;

const RIGHTS = `
  select jsonb_agg(
    case when has_schema_privilege(r.oid, n.oid, 'usage') then 'u' else '' end
    || case when pg_has_role(r.oid, c.relowner, 'usage') then 'o' else '' end
    || case when has_table_privilege(r.oid, c.oid, 'select') then 'S'
      when has_any_column_privilege(r.oid, c.oid, 'select') then 's' else '' end
    || case when has_table_privilege(r.oid, c.oid, 'insert') then 'I'
      when has_any_column_privilege(r.oid, c.oid, 'insert') then 'i' else '' end
    || case when has_table_privilege(r.oid, c.oid, 'update') then 'W'
      when has_any_column_privilege(r.oid, c.oid, 'update') then 'w' else '' end
    || case when has_table_privilege(r.oid, c.oid, 'delete') then 'D' else '' end
    order by r.position
  ) from role r`;

/**
 * The path decides whether `pg_get_expr` qualifies names. It must be set before, so each expression depends on this relation. The
 * setting ends with the statement.
 */
const PATH = `
  path as materialized (
    select set_config(
      'search_path', case $3::text when 'qualified' then '' else current_setting('search_path') end, true
    ) as value
  )`;

const expressionOf = (column: string) =>
  `case when (select value from path) is not null then pg_get_expr(p.${column}, p.polrelid) end`;

/** A policy applies to the members of its roles that inherit the rights of these; 0 is public. */
const POLICIES = `
  select jsonb_agg(jsonb_build_object(
    'name', p.polname,
    'command', ${COMMANDS},
    'isPermissive', p.polpermissive,
    'roles', (
      select jsonb_agg(case x.oid when 0 then 'public' else pg_get_userbyid(x.oid)::text end order by x.place)
      from unnest(p.polroles) with ordinality x(oid, place)
    ),
    'using', ${expressionOf('polqual')},
    'check', ${expressionOf('polwithcheck')},
    'appliesTo', (
      select jsonb_agg(
        exists (select from unnest(p.polroles) x(oid) where x.oid = 0 or pg_has_role(r.oid, x.oid, 'usage'))
        order by r.position
      ) from role r
    )
  ) order by p.polname) from pg_catalog.pg_policy p where p.polrelid = c.oid`;

/** Returns tables and views. $1: schema, $2: name; null means all. $3: `qualified` for expressions with the schemas of all names. */
export const TABLES_QUERY = `
  with ${ROLES}, ${PATH}
  select
    n.nspname::text as schema,
    c.relname::text as name,
    case c.relkind
      when 'p' then 'partitioned table' when 'v' then 'view' when 'm' then 'materialized view'
      when 'f' then 'foreign table' else 'table'
    end as kind,
    pg_get_userbyid(c.relowner)::text as owner,
    c.relrowsecurity as "hasRls",
    c.relforcerowsecurity as "isForced",
    coalesce((
      select o.option_value::boolean from pg_options_to_table(c.reloptions) o where o.option_name = 'security_invoker'
    ), false) as "isInvoker",
    coalesce((${RIGHTS}), '[]') as rights,
    coalesce((${POLICIES}), '[]') as policies
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
    and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and ($1::text is null or n.nspname = $1) and ($2::text is null or c.relname = $2)
  order by n.nspname <> 'public', n.nspname, c.relname
  limit 10000`;

/** Returns the columns of a table with their types. $1: schema, $2: name. */
export const COLUMNS_QUERY = `
  select
    a.attname::text as name,
    format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired",
    a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated"
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/** Returns the columns of a table with the rights of a role on them. $1: schema, $2: name, $3: role. */
export const COLUMN_RIGHTS_QUERY = `
  select
    a.attname::text as name,
    has_column_privilege(r.oid, c.oid, a.attnum, 'select') as "select",
    has_column_privilege(r.oid, c.oid, a.attnum, 'insert') as "insert",
    has_column_privilege(r.oid, c.oid, a.attnum, 'update') as "update"
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_roles r on r.rolname = $3
  where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

const PERSON = `u.id::text, u.aud, u.role, u.email, u.phone, u.raw_app_meta_data as app_metadata,
  u.raw_user_meta_data as user_metadata, u.is_anonymous`;

/** Returns a user. $1: id. */
export const PERSON_QUERY = `select ${PERSON} from auth.users u where u.id = $1::uuid and u.deleted_at is null`;

/**
 * Returns users whose email address begins with a text. $1: a pattern of `like` in lower case. Addresses of users of identity
 * providers have another index.
 */
export const PEOPLE_QUERY = `
  (select ${PERSON} from auth.users u
    where not u.is_sso_user and u.email like $1 and u.deleted_at is null order by u.email limit 8)
  union all
  (select ${PERSON} from auth.users u
    where u.instance_id = '00000000-0000-0000-0000-000000000000' and lower(u.email) like $1 and u.is_sso_user
      and u.deleted_at is null
    limit 8)`;
