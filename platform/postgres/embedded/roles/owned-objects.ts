/**
 * Finds the objects of a project that belong to the superuser of a cluster of an earlier version. PostgreSQL records no
 * dependencies on the bootstrap role, so REASSIGN OWNED refuses it, and the catalogs of all kinds of objects are read.
 */
import { PROJECT_OWNER } from './role-names.ts';

/** Ids below belong to PostgreSQL itself. */
const FIRST_ID = 16_384;

/** Schemas of Greenroom that stay with the superuser, as on the hosted service. */
const PLATFORM_SCHEMAS = `'greenroom', 'graphql', 'graphql_public', 'pgsodium', 'supabase_functions', 'vault'`;

/**
 * A query for `class` (catalog), `object` (id) and `keyword` (of ALTER) of each object. Not listed are parts that follow
 * another object (indexes, sequences of columns, row and array types), and kinds that only a superuser may own: event
 * triggers, foreign data wrappers, and publications of all tables or of schemas. The function of an event trigger
 * also runs for statements of superusers, so it stays with the superuser.
 */
const OWNED = `
  select 'pg_class'::regclass as class, oid as object, relnamespace as namespace,
      case relkind
        when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
        when 'c' then 'type' else 'table'
      end as keyword
    from pg_class
    where relowner = 10 and relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and relpersistence <> 't' and not exists (
      select from pg_depend
      where relkind = 'S' and classid = 'pg_class'::regclass and objid = pg_class.oid
        and refclassid = 'pg_class'::regclass and refobjsubid > 0 and deptype in ('a', 'i')
    )
  union all
  select 'pg_proc', oid, pronamespace, 'routine' from pg_proc
    where proowner = 10 and not exists (select from pg_event_trigger where evtfoid = pg_proc.oid)
      and not (proname = 'graphql' and pronamespace = to_regnamespace('graphql_public'))
  union all
  select 'pg_type', oid, typnamespace, 'type' from pg_type t
    where typowner = 10 and typtype in ('b', 'd', 'e', 'r') and not exists (select from pg_type where typarray = t.oid)
  union all
  select 'pg_operator', oid, oprnamespace, 'operator' from pg_operator where oprowner = 10
  union all
  select 'pg_opclass', oid, opcnamespace, 'operator class' from pg_opclass where opcowner = 10
  union all
  select 'pg_opfamily', oid, opfnamespace, 'operator family' from pg_opfamily where opfowner = 10
  union all
  select 'pg_collation', oid, collnamespace, 'collation' from pg_collation where collowner = 10
  union all
  select 'pg_conversion', oid, connamespace, 'conversion' from pg_conversion where conowner = 10
  union all
  select 'pg_ts_dict', oid, dictnamespace, 'text search dictionary' from pg_ts_dict where dictowner = 10
  union all
  select 'pg_ts_config', oid, cfgnamespace, 'text search configuration' from pg_ts_config where cfgowner = 10
  union all
  select 'pg_statistic_ext', oid, stxnamespace, 'statistics' from pg_statistic_ext where stxowner = 10
  union all
  select 'pg_namespace', oid, null, 'schema' from pg_namespace
    where nspowner = 10 and nspname not in (${PLATFORM_SCHEMAS})
  union all
  select 'pg_foreign_server', oid, null, 'server' from pg_foreign_server where srvowner = 10
  union all
  select 'pg_publication', oid, null, 'publication' from pg_publication
    where pubowner = 10 and not puballtables and pubname <> 'supabase_realtime_messages_publication'
      and not exists (select from pg_publication_namespace where pnpubid = pg_publication.oid)
  union all
  select 'pg_subscription', oid, null, 'subscription' from pg_subscription
    where subowner = 10 and subdbid = (select oid from pg_database where datname = current_database())
  union all
  select 'pg_largeobject', oid, null, 'large object' from pg_largeobject_metadata where lomowner = 10`;

/** Returns one column, `statement`: an ALTER … OWNER TO for each object of the project in the current database. */
export const HAND_OVER_STATEMENTS = `
  with owned as (${OWNED})
  select format('alter %s %s owner to ${PROJECT_OWNER}', keyword, (pg_identify_object(class, object, 0)).identity) as statement
  from owned
  -- Users may choose the id of a large object.
  where (object >= ${FIRST_ID} or class = 'pg_largeobject'::regclass)
    and (namespace is null or namespace <> coalesce(to_regnamespace('greenroom')::oid, 0))
    and not exists (
      select from pg_depend where classid = class and objid = object and objsubid = 0 and deptype = 'e'
    )
  order by object`;
