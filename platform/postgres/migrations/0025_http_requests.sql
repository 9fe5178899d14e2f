-- HTTP requests of SQL, as the Supabase CLI sets them up: each database has the extension pg_net. An external database may have
-- the extension of the hosted service, or none.

-- The role that sends the requests (services/jobs) and owns their tables.
do $$
begin
  if to_regrole('greenroom_net') is null then
    create role greenroom_net with noinherit;
    comment on role greenroom_net is 'Sends the HTTP requests of SQL.';
  end if;
end
$$;

do $do$
begin
  -- Only the extension that Greenroom provides is trusted.
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
    or not exists (
      select from pg_catalog.pg_available_extension_versions where name = 'pg_net' and version = '0.20.0' and trusted
    )
  then
    return;
  end if;

  -- Databases of earlier versions may have a placeholder with an empty view, by any version that a project has named.
  if exists (
    select from pg_catalog.pg_extension e
      join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = e.oid
      join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid
    where extname = 'pg_net' and deptype = 'e' and c.oid = to_regclass('net._http_response') and relkind = 'v'
  ) then
    update pg_catalog.pg_extension set extversion = 'placeholder' where extname = 'pg_net';
    alter extension pg_net update to '0.20.0';
  elsif to_regnamespace('net') is null and not exists (select from pg_catalog.pg_extension where extname = 'pg_net') then
    if greenroom.has_hosted_roles() then
      set local role postgres;
    end if;
    create extension pg_net with schema extensions;
    reset role;
  end if;
end
$do$;
