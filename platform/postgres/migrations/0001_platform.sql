-- Roles, schemas and request functions, named as the hosted service names them, so that SQL written for it runs
-- here unchanged. Needs a role that may create roles; a superuser is not required.

-- The roles of requests. They cannot log in: the authenticator does, and switches to one of them per request.
-- Roles belong to the whole server, so each may exist already from another database.
do $$
declare
  is_superuser boolean := (select rolsuper from pg_roles where rolname = current_user);
  new_role record;
begin
  for new_role in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit'),
      ('dashboard_user', 'nologin createdb createrole' || case when is_superuser then ' replication' else '' end),
      ('supabase_admin', 'nologin createdb createrole bypassrls' || case when is_superuser then ' replication' else '' end),
      ('supabase_auth_admin', 'login noinherit createrole'),
      ('supabase_storage_admin', 'login noinherit createrole'),
      ('supabase_realtime_admin', 'login noinherit')
    ) as wanted (name, options)
    where not exists (select from pg_roles where rolname = wanted.name)
  loop
    execute format('create role %I with %s', new_role.name, new_role.options);
  end loop;
end
$$;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to supabase_storage_admin;

-- The owner of the database must be able to hand objects over to the services' roles.
do $$
declare
  service_owner text;
begin
  if (select not rolsuper from pg_roles where rolname = current_user) then
    foreach service_owner in array array['supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin', 'anon', 'authenticated', 'service_role']
    loop
      execute format('grant %I to current_user', service_owner);
    end loop;
  end if;
end
$$;

-- A request that runs away is ended by the server, whoever sent it.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_storage_admin set search_path = 'storage';

create schema if not exists extensions;
create schema if not exists auth authorization supabase_auth_admin;
create schema if not exists storage authorization supabase_storage_admin;
create schema if not exists realtime authorization supabase_realtime_admin;

grant usage on schema extensions, auth, storage, realtime to anon, authenticated, service_role, dashboard_user;
grant usage on schema extensions to supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin;
grant all on schema auth to supabase_auth_admin, dashboard_user;
grant all on schema storage to supabase_storage_admin, dashboard_user;
grant all on schema realtime to supabase_realtime_admin;

do $$
declare
  extension text;
begin
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
  foreach extension in array array['pgcrypto', 'uuid-ossp']
  loop
    if exists (select from pg_available_extensions where name = extension) then
      execute format('create extension if not exists %I with schema extensions', extension);
    end if;
  end loop;
end
$$;

-- What is created in `public` is reachable through the API; row-level security decides what a request sees of it.
grant usage on schema public to anon, authenticated, service_role;
grant all on all tables in schema public to anon, authenticated, service_role;
grant all on all routines in schema public to anon, authenticated, service_role;
grant all on all sequences in schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on routines to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;

-- Who is asking: read from the settings that a request puts before its statement. A setting that is missing or
-- empty gives null and never an error, so that policies can be written without guards.
create or replace function auth.jwt() returns jsonb
language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

create or replace function auth.uid() returns uuid
language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;

create or replace function auth.role() returns text
language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;

create or replace function auth.email() returns text
language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;

comment on function auth.jwt() is 'The claims of the request''s verified token, or null.';
comment on function auth.uid() is 'The id of the signed-in user (claim sub), or null.';
comment on function auth.role() is 'The role of the request (claim role), or null.';
comment on function auth.email() is 'The email address of the signed-in user (claim email), or null.';

alter function auth.jwt() owner to supabase_auth_admin;
alter function auth.uid() owner to supabase_auth_admin;
alter function auth.role() owner to supabase_auth_admin;
alter function auth.email() owner to supabase_auth_admin;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;

-- The one-time link that makes its visitor the first admin: only the hash of its token is kept.
create table greenroom.first_admin_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  claimed_by uuid,
  claimed_at timestamptz
);
alter table greenroom.first_admin_links enable row level security;
comment on table greenroom.first_admin_links is 'One-time links that give the visitor the admin role; a claimed one is used up.';
