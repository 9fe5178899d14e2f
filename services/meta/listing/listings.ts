/**
 * The queries of the listings. Each reads `filter` and `namespace`, whose fields {@link listObjects} defines, has the limit `$5` and
 * the offset `$6`, and returns fields with the names of postgres-meta.
 */

const PAGE = 'limit $5::bigint offset $6::bigint';

/** Chooses a page of the tables, views and foreign tables of the filter. */
const RELATIONS = (kinds: string) => `
  select c.*, n.nspname from pg_catalog.pg_class c join namespace n on n.oid = c.relnamespace, filter f
  where c.relkind in (${kinds}) and (f.table_name is null or c.relname = f.table_name)`;

const schemas = `
  select n.oid::bigint as id, n.nspname as name, pg_catalog.pg_get_userbyid(s.nspowner) as owner,
    pg_catalog.obj_description(n.oid, 'pg_namespace') as comment
  from namespace n join pg_catalog.pg_namespace s on s.oid = n.oid
  order by n.nspname ${PAGE}`;

const tables = `
  select c.oid::bigint as id, c.nspname as schema, c.relname as name, c.relrowsecurity as rls_enabled,
    c.relforcerowsecurity as rls_forced,
    case c.relreplident when 'd' then 'DEFAULT' when 'i' then 'INDEX' when 'f' then 'FULL' else 'NOTHING' end as replica_identity,
    pg_catalog.pg_total_relation_size(c.oid) as bytes,
    pg_catalog.pg_size_pretty(pg_catalog.pg_total_relation_size(c.oid)) as size,
    greatest(c.reltuples, 0)::bigint as live_rows_estimate,
    coalesce(pg_catalog.pg_stat_get_dead_tuples(c.oid), 0) as dead_rows_estimate,
    pg_catalog.obj_description(c.oid, 'pg_class') as comment,
    coalesce(keys.primary_keys, '[]') as primary_keys, coalesce(links.relationships, '[]') as relationships
  from (${RELATIONS("'r', 'p'")} order by n.nspname, c.relname ${PAGE}) c
  left join lateral (
    select json_agg(json_build_object('schema', c.nspname, 'table_name', c.relname, 'name', a.attname, 'table_id', c.oid::bigint)
      order by k.place) as primary_keys
    from pg_catalog.pg_constraint p, unnest(p.conkey) with ordinality k(number, place), pg_catalog.pg_attribute a
    where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid and a.attnum = k.number
  ) keys on true
  left join lateral (
    select json_agg(json_build_object('id', r.oid::bigint, 'constraint_name', r.conname, 'source_schema', c.nspname,
      'source_table_name', c.relname, 'source_column_name', sa.attname, 'target_table_schema', tn.nspname,
      'target_table_name', t.relname, 'target_column_name', ta.attname) order by r.conname, k.place) as relationships
    from pg_catalog.pg_constraint r
    join pg_catalog.pg_class t on t.oid = r.confrelid join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace,
      unnest(r.conkey, r.confkey) with ordinality k(source, target, place), pg_catalog.pg_attribute sa, pg_catalog.pg_attribute ta
    where r.conrelid = c.oid and r.contype = 'f' and sa.attrelid = c.oid and sa.attnum = k.source
      and ta.attrelid = t.oid and ta.attnum = k.target
  ) links on true
  order by c.nspname, c.relname`;

const columns = `
  select c.oid::bigint as table_id, c.nspname as schema, c.relname as table, c.oid || '.' || a.attnum as id,
    a.attnum as ordinal_position, a.attname as name,
    case when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end as default_value,
    case when t.typelem <> 0 and t.typlen = -1 then 'ARRAY'
      when tn.nspname = 'pg_catalog' then pg_catalog.format_type(a.atttypid, null) else 'USER-DEFINED' end as data_type,
    t.typname as format, a.attidentity <> '' as is_identity,
    case a.attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end as identity_generation,
    a.attgenerated <> '' as is_generated, not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)) as is_nullable,
    c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false))
      as is_updatable,
    exists (select from pg_catalog.pg_constraint u where u.conrelid = c.oid and u.contype = 'u' and u.conkey = array[a.attnum])
      as is_unique,
    coalesce((select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid), '[]')
      as enums,
    (select string_agg(pg_catalog.pg_get_expr(k.conbin, k.conrelid), ' and ' order by k.conname)
      from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as check,
    pg_catalog.col_description(c.oid, a.attnum) as comment
  from (
    select c.oid, c.relname, c.relkind, n.nspname, a.attnum
    from pg_catalog.pg_class c join namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped, filter f
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and (f.table_name is null or c.relname = f.table_name)
    order by n.nspname, c.relname, a.attnum ${PAGE}
  ) c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = c.attnum
  join pg_catalog.pg_type t on t.oid = a.atttypid join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
  left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  order by c.nspname, c.relname, a.attnum`;

const policies = `
  select p.oid::bigint as id, n.nspname as schema, c.relname as table, c.oid::bigint as table_id, p.polname as name,
    case when p.polpermissive then 'PERMISSIVE' else 'RESTRICTIVE' end as action,
    case when p.polroles = '{0}' then '["public"]'::json
      else (select json_agg(r.rolname order by r.rolname) from pg_catalog.pg_roles r where r.oid = any (p.polroles)) end as roles,
    case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE' else 'ALL' end
      as command,
    pg_catalog.pg_get_expr(p.polqual, p.polrelid) as definition, pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) as check
  from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid join namespace n on n.oid = c.relnamespace, filter f
  where f.table_name is null or c.relname = f.table_name
  order by n.nspname, c.relname, p.polname ${PAGE}`;

const functions = `
  select p.oid::bigint as id, p.nspname as schema, p.proname as name, l.lanname as language, p.prosrc as definition,
    case when p.prokind = 'a' then '' else pg_catalog.pg_get_functiondef(p.oid) end as complete_statement,
    pg_catalog.pg_get_function_arguments(p.oid) as argument_types,
    pg_catalog.pg_get_function_identity_arguments(p.oid) as identity_argument_types,
    p.prorettype::bigint as return_type_id, pg_catalog.pg_get_function_result(p.oid) as return_type,
    p.proretset as is_set_returning_function,
    case p.provolatile when 'i' then 'IMMUTABLE' when 's' then 'STABLE' else 'VOLATILE' end as behavior,
    p.prosecdef as security_definer,
    (select json_object_agg(split_part(s, '=', 1), substr(s, strpos(s, '=') + 1)) from unnest(p.proconfig) s) as config_params,
    pg_catalog.obj_description(p.oid, 'pg_proc') as comment
  from (
    select p.*, n.nspname from pg_catalog.pg_proc p join namespace n on n.oid = p.pronamespace
    order by n.nspname, p.proname, p.oid ${PAGE}
  ) p join pg_catalog.pg_language l on l.oid = p.prolang
  order by p.nspname, p.proname, p.oid`;

const triggers = `
  select t.oid::bigint as id, c.oid::bigint as table_id,
    case t.tgenabled when 'O' then 'ORIGIN' when 'R' then 'REPLICA' when 'A' then 'ALWAYS' else 'DISABLED' end as enabled_mode,
    pg_catalog.encode(t.tgargs, 'escape') as function_args, t.tgname as name, c.relname as table, n.nspname as schema,
    (regexp_match(pg_catalog.pg_get_triggerdef(t.oid), 'WHEN \\((.*)\\) EXECUTE'))[1] as condition,
    case when t.tgtype & 1 = 1 then 'ROW' else 'STATEMENT' end as orientation,
    case when t.tgtype & 64 = 64 then 'INSTEAD OF' when t.tgtype & 2 = 2 then 'BEFORE' else 'AFTER' end as activation,
    array_remove(array[
      case when t.tgtype & 4 = 4 then 'INSERT' end, case when t.tgtype & 16 = 16 then 'UPDATE' end,
      case when t.tgtype & 8 = 8 then 'DELETE' end, case when t.tgtype & 32 = 32 then 'TRUNCATE' end], null) as events,
    p.proname as function_name, pn.nspname as function_schema
  from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid join namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_proc p on p.oid = t.tgfoid join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace, filter f
  where not t.tgisinternal and (f.table_name is null or c.relname = f.table_name)
  order by n.nspname, c.relname, t.tgname ${PAGE}`;

const types = `
  select t.oid::bigint as id, t.typname as name, t.nspname as schema, pg_catalog.format_type(t.oid, null) as format,
    coalesce((select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid), '[]')
      as enums,
    coalesce((select json_agg(json_build_object('name', a.attname, 'type_id', a.atttypid::bigint) order by a.attnum)
      from pg_catalog.pg_attribute a where a.attrelid = t.typrelid and t.typrelid <> 0 and a.attnum > 0 and not a.attisdropped),
      '[]') as attributes,
    pg_catalog.obj_description(t.oid, 'pg_type') as comment
  from (
    select t.*, n.nspname from pg_catalog.pg_type t join namespace n on n.oid = t.typnamespace
    left join pg_catalog.pg_class c on c.oid = t.typrelid
    where (t.typrelid = 0 or c.relkind = 'c') and not (t.typelem <> 0 and t.typlen = -1)
    order by n.nspname, t.typname ${PAGE}
  ) t
  order by t.nspname, t.typname`;

const indexes = `
  select i.indexrelid::bigint as id, c.oid::bigint as table_id, c.nspname as schema, c.relname as table, c.index_name as name,
    i.indnatts as number_of_attributes, i.indnkeyatts as number_of_key_attributes, i.indisunique as is_unique,
    i.indisprimary as is_primary, i.indisexclusion as is_exclusion, i.indimmediate as is_immediate,
    i.indisclustered as is_clustered, i.indisvalid as is_valid, i.indcheckxmin as check_xmin, i.indisready as is_ready,
    i.indislive as is_live, i.indisreplident as is_replica_identity, string_to_array(i.indkey::text, ' ')::int[] as key_attributes,
    pg_catalog.pg_get_expr(i.indpred, i.indrelid) as index_predicate,
    pg_catalog.obj_description(i.indexrelid, 'pg_class') as comment,
    pg_catalog.pg_get_indexdef(i.indexrelid) as index_definition, c.amname as access_method,
    (select json_agg(json_build_object('attribute_number', a.attnum, 'attribute_name', a.attname,
      'data_type', pg_catalog.format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_catalog.pg_attribute a where a.attrelid = i.indexrelid) as index_attributes
  from (
    select x.indexrelid, c.oid, c.relname, n.nspname, ic.relname as index_name, am.amname
    from pg_catalog.pg_index x join pg_catalog.pg_class c on c.oid = x.indrelid join namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_class ic on ic.oid = x.indexrelid join pg_catalog.pg_am am on am.oid = ic.relam, filter f
    where f.table_name is null or c.relname = f.table_name
    order by n.nspname, c.relname, ic.relname ${PAGE}
  ) c join pg_catalog.pg_index i on i.indexrelid = c.indexrelid
  order by c.nspname, c.relname, c.index_name`;

const extensions = `
  select e.name, n.nspname as schema, e.default_version, x.extversion as installed_version, e.comment
  from pg_catalog.pg_available_extensions() e(name, default_version, comment)
  left join pg_catalog.pg_extension x on x.extname = e.name left join pg_catalog.pg_namespace n on n.oid = x.extnamespace
  order by e.name ${PAGE}`;

const publications = `
  select p.oid::bigint as id, p.pubname as name, pg_catalog.pg_get_userbyid(p.pubowner) as owner, p.pubinsert as publish_insert,
    p.pubupdate as publish_update, p.pubdelete as publish_delete, p.pubtruncate as publish_truncate,
    case when not p.puballtables then coalesce((
      select json_agg(json_build_object('id', c.oid::bigint, 'name', c.relname, 'schema', n.nspname) order by n.nspname, c.relname)
      from pg_catalog.pg_publication_rel r join pg_catalog.pg_class c on c.oid = r.prrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where r.prpubid = p.oid), '[]') end as tables
  from pg_catalog.pg_publication p
  order by p.pubname ${PAGE}`;

/** Passwords are never returned. */
const roles = `
  select r.oid::bigint as id, r.rolname as name, r.rolsuper as is_superuser, r.rolcreatedb as can_create_db,
    r.rolcreaterole as can_create_role, r.rolinherit as inherit_role, r.rolcanlogin as can_login,
    r.rolreplication as is_replication_role, r.rolbypassrls as can_bypass_rls,
    (select count(*) from pg_catalog.pg_stat_activity s where s.usesysid = r.oid) as active_connections,
    r.rolconnlimit as connection_limit, r.rolvaliduntil as valid_until,
    (select json_object_agg(split_part(s, '=', 1), substr(s, strpos(s, '=') + 1)) from unnest(r.rolconfig) s) as config
  from pg_catalog.pg_roles r, filter f
  where f.has_system or r.rolname not like 'pg\\_%'
  order by r.rolname ${PAGE}`;

/** By the name of the route. */
export const LISTINGS = {
  schemas,
  tables,
  columns,
  policies,
  functions,
  triggers,
  types,
  indexes,
  extensions,
  publications,
  roles,
};

/** A kind of objects that can be listed. */
export type ListingKind = keyof typeof LISTINGS;
