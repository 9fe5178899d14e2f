-- Functions that were deployed into the instance, with their versions, and the secrets of functions. They belong to a role of
-- the service, which has no other rights.

do $$
begin
  if to_regrole('greenroom_functions') is null then
    create role greenroom_functions with noinherit;
    comment on role greenroom_functions is 'Stores deployed functions and their secrets.';
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    grant greenroom_functions to current_user;
  end if;
end
$$;

-- Owners of tables need the right to create some.
grant usage, create on schema greenroom to greenroom_functions;

create table greenroom.deployed_functions (
  name text primary key check (name ~ '^[A-Za-z][A-Za-z0-9_-]*$'),
  -- The version that is served.
  version int not null,
  -- The last number that a version has got; numbers are not used again.
  last_version int not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table greenroom.deployed_functions is 'Functions that were deployed into the instance.';

create table greenroom.deployed_function_versions (
  name text not null references greenroom.deployed_functions (name) on delete cascade,
  version int not null,
  -- SHA-256 of the files and settings.
  hash text not null,
  verify_jwt boolean not null,
  -- Number and size of the files, in bytes.
  files int not null,
  bytes int not null,
  -- The files and settings: JSON, compressed by gzip.
  archive bytea not null,
  created_at timestamptz not null default now(),
  primary key (name, version)
);
-- The archive is compressed.
alter table greenroom.deployed_function_versions alter column archive set storage external;
comment on table greenroom.deployed_function_versions is 'Versions of deployed functions.';

create table greenroom.function_secrets (
  name text primary key,
  -- Encrypted with a key that is not in the database, and bound to the name.
  value text not null,
  updated_at timestamptz not null default now()
);
comment on table greenroom.function_secrets is 'Secrets of functions, encrypted.';

alter table greenroom.deployed_functions enable row level security;
alter table greenroom.deployed_function_versions enable row level security;
alter table greenroom.function_secrets enable row level security;
alter table greenroom.deployed_functions owner to greenroom_functions;
alter table greenroom.deployed_function_versions owner to greenroom_functions;
alter table greenroom.function_secrets owner to greenroom_functions;

revoke create on schema greenroom from greenroom_functions;
