-- Encrypted secrets. Names, parameters and columns are those of supabase_vault 0.3.1.
--
-- Each value is encrypted with AES-256-CBC, then authenticated with HMAC-SHA256. The keys for both are derived from one that
-- is outside of the database. A ciphertext is valid only with the id and the nonce of its row.
--
-- Two owners. Functions of the superuser read the key; they use nothing but pg_catalog and other functions of the superuser in
-- this schema. The table, the view and the functions that change the table belong to greenroom_vault, which has no other rights:
-- a foreign key of a project runs casts of the project as the owner of the table that it refers to.

-- A project may have created the schema; its owner could rename it, and put other objects in its place.
alter schema vault owner to current_user;

do $$
begin
  if to_regrole('greenroom_vault') is null then
    create role greenroom_vault;
    comment on role greenroom_vault is 'Owns the secrets of Vault.';
  elsif exists (
    select from pg_auth_members join pg_roles on pg_roles.oid = member
    where roleid = 'greenroom_vault'::regrole and not rolsuper
  ) then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'the role "greenroom_vault" is reserved for Vault, but has members',
      hint = 'Revoke it from its members, or drop it.';
  end if;
end
$$;

-- The library of pgcrypto. Its extension, in a schema of the project, can be dropped and replaced.
create function vault._hmac(data bytea, key bytea, type text) returns bytea
language c immutable strict parallel safe as '$libdir/pgcrypto', 'pg_hmac';
create function vault._encrypt_block(data bytea, key bytea, iv bytea, type text) returns bytea
language c immutable strict parallel safe as '$libdir/pgcrypto', 'pg_encrypt_iv';
create function vault._decrypt_block(data bytea, key bytea, iv bytea, type text) returns bytea
language c immutable strict parallel safe as '$libdir/pgcrypto', 'pg_decrypt_iv';
create function vault._random_bytes(count int) returns bytea
language c volatile strict parallel safe as '$libdir/pgcrypto', 'pg_random_bytes';

create function vault._crypto_aead_det_noncegen() returns bytea
language sql volatile
set search_path = pg_catalog, pg_temp
as $$ select vault._random_bytes(16) $$;

-- Greenroom writes the file at each start (platform/postgres/embedded/vault-key.ts).
create function vault._derive_key(purpose text, key_id bigint, context bytea) returns bytea
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  root text := pg_read_file('pgsql_tmp.greenroom-vault-key', true);
begin
  if root is null or root !~ '^[0-9a-f]{64}$' then
    raise exception using
      errcode = 'config_file_error',
      message = case when root is null then 'the key of Vault is missing' else 'the key of Vault is not valid' end,
      hint = 'Restart Greenroom, which writes it from keys.json of the data folder.';
  end if;
  return vault._hmac(
    convert_to(concat('greenroom vault 1 ', purpose), 'UTF8') || int8send(key_id) || context,
    decode(root, 'hex'),
    'sha256'
  );
end
$$;

-- The first part of an encrypted message: a version, and a digest of the key, so that a wrong key is reported as such.
create function vault._header(key_id bigint, context bytea) returns bytea
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return decode('01', 'hex') || substr(vault._derive_key('identification', key_id, context), 1, 8);
end
$$;

create function vault._authenticate(header bytea, ciphertext bytea, additional bytea, nonce bytea, key bytea) returns bytea
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return vault._hmac(
    header || nonce || int8send(length(additional)) || additional || ciphertext, key, 'sha256'
  );
end
$$;

-- Returns header, ciphertext and tag. Only greenroom_vault may call it.
create function vault._crypto_aead_det_encrypt(
  message bytea,
  additional bytea,
  key_id bigint,
  context bytea default 'pgsodium',
  nonce bytea default null
)
returns bytea
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  header bytea := vault._header(key_id, context);
  ciphertext bytea;
begin
  if length(nonce) is distinct from 16 then
    raise exception using errcode = 'data_exception', message = 'a nonce of 16 bytes is required';
  end if;
  ciphertext := vault._encrypt_block(
    message, vault._derive_key('encryption', key_id, context), nonce, 'aes-cbc/pad:pkcs'
  );
  return header || ciphertext || vault._authenticate(
    header, ciphertext, additional, nonce, vault._derive_key('authentication', key_id, context)
  );
end
$$;

-- The view evaluates it with the rights of its caller.
create function vault._crypto_aead_det_decrypt(
  message bytea,
  additional bytea,
  key_id bigint,
  context bytea default 'pgsodium',
  nonce bytea default null
)
returns bytea
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  header_length constant int := 9;
  tag_length constant int := 32;
  header bytea := vault._header(key_id, context);
  blind bytea := vault._random_bytes(tag_length);
  ciphertext bytea;
  tag bytea;
begin
  if length(nonce) = 16 and length(message) > header_length + tag_length and substr(message, 1, 1) = substr(header, 1, 1) then
    if substr(message, 1, header_length) <> header then
      raise exception using
        errcode = 'config_file_error',
        message = 'the secret was encrypted with another key than that of Vault',
        hint = 'The key is in keys.json of the data folder. Restore it from the same backup as the database.';
    end if;
    ciphertext := substr(message, header_length + 1, length(message) - header_length - tag_length);
    tag := vault._authenticate(
      header, ciphertext, additional, nonce, vault._derive_key('authentication', key_id, context)
    );
  end if;
  -- Digests with a random key, because a comparison of the tags would take longer the more of their bytes are equal.
  if vault._hmac(substr(message, length(message) - tag_length + 1), blind, 'sha256') = vault._hmac(tag, blind, 'sha256') then
    return vault._decrypt_block(
      ciphertext, vault._derive_key('encryption', key_id, context), nonce, 'aes-cbc/pad:pkcs'
    );
  end if;
  raise exception using
    errcode = 'data_exception',
    message = 'invalid ciphertext',
    detail = 'The secret was changed, or belongs to another row.';
end
$$;

create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  -- Unused, as in supabase_vault 0.3.1.
  key_id uuid,
  nonce bytea default vault._crypto_aead_det_noncegen(),
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
alter table vault.secrets enable row level security;
create unique index on vault.secrets (name) where name is not null;
comment on table vault.secrets is 'Secrets; the column "secret" is encrypted.';

create or replace view vault.decrypted_secrets as
  select
    id,
    name,
    description,
    secret,
    convert_from(
      vault._crypto_aead_det_decrypt(
        message => decode(secret, 'base64'),
        additional => convert_to(id::text, 'UTF8'),
        key_id => 0::bigint,
        context => 'pgsodium'::bytea,
        nonce => nonce
      ),
      'UTF8'
    ) collate "default" as decrypted_secret,
    key_id,
    nonce,
    created_at,
    updated_at
  from vault.secrets;

create function vault._encrypt_secret(value text, id uuid, nonce bytea) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return encode(
    vault._crypto_aead_det_encrypt(
      convert_to(value, 'UTF8'), convert_to(id::text, 'UTF8'), 0::bigint, 'pgsodium'::bytea, nonce
    ),
    'base64'
  );
end
$$;

create or replace function vault.create_secret(
  new_secret text,
  new_name text default null,
  new_description text default '',
  new_key_id uuid default null
)
returns uuid
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  new_id uuid := gen_random_uuid();
  new_nonce bytea := vault._random_bytes(16);
begin
  insert into vault.secrets (id, name, description, secret, nonce)
    values (new_id, new_name, new_description, vault._encrypt_secret(new_secret, new_id, new_nonce), new_nonce);
  return new_id;
end
$$;

create or replace function vault.update_secret(
  secret_id uuid,
  new_secret text default null,
  new_name text default null,
  new_description text default null,
  new_key_id uuid default null
)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  new_nonce bytea := vault._random_bytes(16);
begin
  update vault.secrets as s
    set secret = coalesce(vault._encrypt_secret(new_secret, s.id, new_nonce), s.secret),
      nonce = case when new_secret is null then s.nonce else new_nonce end,
      name = coalesce(new_name, s.name),
      description = coalesce(new_description, s.description),
      updated_at = now()
    where s.id = secret_id;
end
$$;

-- Objects of a project that depend on the view of the placeholder read the table from now on.
do $$
begin
  if to_regclass('vault._placeholder_secrets') is not null then
    create or replace view vault._placeholder_secrets as
      select id, name, description, secret, key_id, nonce, created_at, updated_at from vault.secrets;
    alter view vault._placeholder_secrets owner to greenroom_vault;
    begin
      drop view vault._placeholder_secrets;
    exception when dependent_objects_still_exist then
      null;
    end;
  end if;
end
$$;

alter table vault.secrets owner to greenroom_vault;
alter view vault.decrypted_secrets owner to greenroom_vault;
alter function vault.create_secret(text, text, text, uuid) owner to greenroom_vault;
alter function vault.update_secret(uuid, text, text, text, uuid) owner to greenroom_vault;
alter function vault._encrypt_secret(text, uuid, bytea) owner to greenroom_vault;

-- Default privileges, or the placeholder, may have given rights to others.
do $$
declare
  users constant oid[] :=
    array_remove(array['@extowner@'::regrole::oid, to_regrole('postgres'), to_regrole('service_role')], null);
  entry record;
begin
  for entry in
    select distinct kind, identity, rights, case grantee when 0 then 'public' else grantee::regrole::text end as grantee
    from (
      select 'table' as kind, oid::regclass::text as identity, relowner as owner, relacl as acl,
          'all' as rights, true as is_for_users
        from pg_class where oid in ('vault.secrets'::regclass, 'vault.decrypted_secrets'::regclass)
      union all
      select 'function', oid::regprocedure::text, proowner, coalesce(proacl, acldefault('f', proowner)),
          'all', proname in ('create_secret', 'update_secret', '_crypto_aead_det_decrypt')
        from pg_proc
        where pronamespace = 'vault'::regnamespace and proowner in (current_user::regrole, 'greenroom_vault'::regrole)
      union all
      select 'schema', 'vault', nspowner, nspacl, 'create', false from pg_namespace where nspname = 'vault'
    ) as objects cross join lateral aclexplode(acl)
    where grantor = owner and grantee <> owner
      and (kind <> 'schema' or privilege_type = 'CREATE')
      and not (is_for_users and grantee = any (users))
  loop
    execute format('revoke %s on %s %s from %s cascade', entry.rights, entry.kind, entry.identity, entry.grantee);
  end loop;
end
$$;

-- The rights on the hosted service.
do $$
declare
  owner text;
begin
  for owner in
    select oid::regrole::text from pg_roles
    where oid in ('@extowner@'::regrole, to_regrole('postgres')) and rolname <> current_user
  loop
    execute format('revoke insert, update, trigger on vault.secrets, vault.decrypted_secrets from %s cascade', owner);
    execute format('grant usage on schema vault to %s with grant option', owner);
    execute format('grant select, delete, truncate, references on vault.secrets, vault.decrypted_secrets
      to %s with grant option', owner);
    execute format('grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt
      to %s with grant option', owner);
  end loop;
  if to_regrole('service_role') is not null then
    revoke insert, update, trigger on vault.secrets, vault.decrypted_secrets from service_role;
    grant usage on schema vault to service_role;
    grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
    grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt to service_role;
  end if;
  grant usage on schema vault to greenroom_vault;
  grant execute on function vault._random_bytes, vault._crypto_aead_det_noncegen, vault._crypto_aead_det_encrypt
    to greenroom_vault;
end
$$;

select pg_catalog.pg_extension_config_dump('vault.secrets', '');
