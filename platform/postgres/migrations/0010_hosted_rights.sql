-- Rights of `postgres` in the embedded database, where it is not a superuser. On the hosted service a library, supautils,
-- lets it do more than PostgreSQL would; here, memberships and grants do. Other databases keep their rights.

create function greenroom.has_hosted_roles() returns boolean
language sql stable
set search_path = ''
as $$
  select exists (select from pg_catalog.pg_roles where oid = 10 and rolname = 'supabase_admin' and rolname = current_user)
    and exists (
      select from pg_catalog.pg_database join pg_catalog.pg_roles on pg_roles.oid = datdba
      where datname = current_database() and rolname = 'postgres' and not rolsuper
    )
    and pg_catalog.current_setting('supautils.privileged_role', true) is null
$$;
comment on function greenroom.has_hosted_roles() is
  'Whether the embedded server''s superuser, supabase_admin, asks for the database of postgres, who is none.';
revoke execute on function greenroom.has_hosted_roles() from public;

do $do$
declare
  name text;
  member record;
begin
  if not greenroom.has_hosted_roles() then
    return;
  end if;

  -- Memberships of the hosted role. The option ADMIN permits ALTER ROLE … SET.
  execute 'grant anon, authenticated, service_role, authenticator to postgres with admin option';
  execute 'grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres with admin option';
  execute 'grant pg_create_subscription to postgres';
  execute 'grant execute on function pg_catalog.pg_reload_conf() to postgres';

  -- Policies and triggers on tables of services need the rights of their owner. Without the option SET, postgres can neither
  -- become one of these roles nor create objects as one; without ADMIN, it cannot alter or grant them.
  execute 'grant supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin to postgres
    with inherit true, set false, admin false';

  -- Parameters that only superusers may set, except those that would write values of users to the log.
  foreach name in array array[
    'auto_explain.log_min_duration', 'auto_explain.log_nested_statements', 'log_lock_waits', 'log_min_messages',
    'pgaudit.log', 'pgaudit.log_catalog', 'pgaudit.log_client', 'pgaudit.log_level', 'pgaudit.log_relation',
    'pgaudit.log_rows', 'pgaudit.log_statement', 'pgaudit.log_statement_once', 'pgaudit.role',
    'pg_stat_statements.track', 'pg_stat_statements.track_planning', 'pg_stat_statements.track_utility',
    'pgrst.db_aggregates_enabled', 'pgrst.db_anon_role', 'pgrst.db_channel_enabled', 'pgrst.db_extra_search_path',
    'pgrst.db_hoisted_tx_settings', 'pgrst.db_max_rows', 'pgrst.db_plan_enabled', 'pgrst.db_pre_request',
    'pgrst.db_prepared_statements', 'pgrst.db_root_spec', 'pgrst.db_schemas', 'pgrst.db_timezone_enabled',
    'pgrst.db_tx_end', 'pgrst.jwt_aud', 'pgrst.jwt_role_claim_key', 'pgrst.jwt_secret',
    'pgrst.jwt_secret_is_base64', 'pgrst.openapi_mode', 'pgrst.openapi_security_active',
    'pgrst.openapi_server_proxy_uri', 'pgrst.server_cors_allowed_origins', 'pgrst.server_timing_enabled',
    'pgrst.server_trace_header',
    'session_replication_role', 'track_functions', 'track_io_timing'
  ]
  loop
    execute format('grant set on parameter %s to postgres', name);
  end loop;

  -- Objects that are created in `public` by either role are reachable through the API.
  foreach name in array array['postgres', 'supabase_admin']
  loop
    execute format('alter default privileges for role %I in schema public
      grant all on tables to postgres, anon, authenticated, service_role', name);
    execute format('alter default privileges for role %I in schema public
      grant all on routines to postgres, anon, authenticated, service_role', name);
    execute format('alter default privileges for role %I in schema public
      grant all on sequences to postgres, anon, authenticated, service_role', name);
  end loop;
  grant usage on schema public to postgres;

  alter schema extensions owner to postgres;
  grant all on all tables in schema extensions to postgres with grant option;
  grant all on all routines in schema extensions to postgres with grant option;
  grant all on all sequences in schema extensions to postgres with grant option;
  alter default privileges in schema extensions grant all on tables to postgres with grant option;
  alter default privileges in schema extensions grant all on routines to postgres with grant option;
  alter default privileges in schema extensions grant all on sequences to postgres with grant option;
  foreach name in array array['graphql', 'graphql_public', 'pgsodium', 'supabase_functions', 'vault']
  loop
    execute format('grant usage on schema %I to postgres with grant option', name);
  end loop;

  -- Migrations and seeds of the project run as postgres.
  grant usage on schema greenroom to postgres;
  grant select, update on greenroom.project to postgres;

  -- Objects of extensions belong to the superuser. postgres would have got these grants as the owner of the extension.
  for member in
    select case d.classid when 'pg_catalog.pg_namespace'::regclass then 'schema' else
        case relkind when 'S' then 'sequence' else 'table' end end as kind,
      (pg_identify_object(d.classid, d.objid, 0)).identity
    from pg_catalog.pg_depend d left join pg_catalog.pg_class c
      on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    where d.deptype = 'e' and d.refclassid = 'pg_catalog.pg_extension'::regclass
      and (c.oid is not null or d.classid = 'pg_catalog.pg_namespace'::regclass)
  loop
    execute format('grant all on %s %s to postgres with grant option', member.kind, member.identity);
  end loop;

  -- Extensions belong to the role that would have created them, so that the project can drop and update them. PostgreSQL
  -- has no command for this.
  insert into pg_catalog.pg_shdepend (dbid, classid, objid, objsubid, refclassid, refobjid, deptype)
    select d.oid, 'pg_catalog.pg_extension'::regclass, e.oid, 0, 'pg_catalog.pg_authid'::regclass, 'postgres'::regrole, 'o'
    from pg_catalog.pg_extension e, pg_catalog.pg_database d
    where e.extowner = 10 and e.extname <> 'plpgsql' and d.datname = current_database();
  update pg_catalog.pg_extension set extowner = 'postgres'::regrole where extowner = 10 and extname <> 'plpgsql';
end
$do$;
