-- Vault stores secrets. The embedded PostgreSQL has the extension supabase_vault. Another PostgreSQL that does not know that
-- extension gets the same objects with a key in a table.

do $do$
declare
  pgcrypto regnamespace;
begin
  -- Databases of earlier versions have a placeholder with empty views, by any version that a project has named.
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
    and exists (
      select from pg_catalog.pg_extension e
        join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = e.oid
        join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid
      where extname = 'supabase_vault' and deptype = 'e' and c.oid = to_regclass('vault.secrets') and relkind = 'v'
    )
  then
    update pg_catalog.pg_extension set extversion = 'placeholder' where extname = 'supabase_vault';
    alter extension supabase_vault update to '0.3.1';
  end if;

  -- 0010 has granted all rights on objects of extensions to postgres. The hosted service keeps these.
  if exists (
      select from pg_catalog.pg_class
      where oid = to_regclass('vault.secrets') and relowner = to_regrole('greenroom_vault')
    )
    and to_regrole('postgres') is not null
  then
    revoke insert, update, trigger, maintain on vault.secrets, vault.decrypted_secrets from postgres cascade;
  end if;

  if exists (select from pg_catalog.pg_available_extensions where name = 'supabase_vault')
    or not exists (select from pg_catalog.pg_namespace where nspname = 'vault' and nspowner = current_user::regrole)
    or exists (
      select from pg_catalog.pg_class where relnamespace = to_regnamespace('vault')
      union all
      select from pg_catalog.pg_proc where pronamespace = to_regnamespace('vault')
    )
  then
    return;
  end if;

  -- In a schema where other roles can create objects, they could replace the functions of pgcrypto.
  select extnamespace into pgcrypto
    from pg_catalog.pg_extension join pg_catalog.pg_namespace n on n.oid = extnamespace
    where extname = 'pgcrypto' and nspowner = current_user::regrole and not exists (
      select from pg_catalog.aclexplode(nspacl) where privilege_type = 'CREATE' and grantee <> nspowner
    );
  if pgcrypto is null then
    return;
  end if;

  create table greenroom.vault_key (
    is_only boolean primary key default true check (is_only),
    key bytea not null check (length(key) = 32)
  );
  alter table greenroom.vault_key enable row level security;
  comment on table greenroom.vault_key is 'The key of Vault, where it cannot be in a file: only the owner of the database reads it.';
  execute format('insert into greenroom.vault_key (key) values (%s.gen_random_bytes(32))', pgcrypto);

  execute replace($sql$
    create function vault._derive_key(purpose text, key_id bigint, context bytea) returns bytea
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
      root constant bytea := (select key from greenroom.vault_key);
    begin
      if root is null then
        raise exception using errcode = 'config_file_error', message = 'the key of Vault is missing',
          hint = 'Restore the table greenroom.vault_key from a backup.';
      end if;
      return @pgcrypto@.hmac(
        convert_to(concat('greenroom vault 1 ', purpose), 'UTF8') || int8send(key_id) || context, root, 'sha256'::text
      );
    end
    $$;

    create function vault._header(key_id bigint, context bytea) returns bytea
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    begin
      return decode('01', 'hex') || substr(vault._derive_key('identification', key_id, context), 1, 8);
    end
    $$;

    create function vault._crypto_aead_det_encrypt(
      message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
    )
    returns bytea
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
      header bytea := vault._header(key_id, context);
      ciphertext bytea := @pgcrypto@.encrypt_iv(
        message, vault._derive_key('encryption', key_id, context), nonce, 'aes-cbc/pad:pkcs'::text
      );
    begin
      return header || ciphertext || @pgcrypto@.hmac(
        header || nonce || int8send(length(additional)) || additional || ciphertext,
        vault._derive_key('authentication', key_id, context), 'sha256'::text
      );
    end
    $$;

    create function vault._crypto_aead_det_decrypt(
      message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
    )
    returns bytea
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
      header bytea := vault._header(key_id, context);
      ciphertext bytea;
      blind bytea := @pgcrypto@.gen_random_bytes(32);
      tag bytea;
    begin
      if length(nonce) = 16 and length(message) > 41 and substr(message, 1, 1) = substr(header, 1, 1) then
        if substr(message, 1, 9) <> header then
          raise exception using errcode = 'config_file_error',
            message = 'the secret was encrypted with another key than that of Vault',
            hint = 'Restore the tables greenroom.vault_key and vault.secrets from the same backup.';
        end if;
        ciphertext := substr(message, 10, length(message) - 41);
        tag := @pgcrypto@.hmac(
          header || nonce || int8send(length(additional)) || additional || ciphertext,
          vault._derive_key('authentication', key_id, context), 'sha256'::text
        );
      end if;
      -- Digests with a random key, because a comparison of the tags would take longer the more of their bytes are equal.
      if @pgcrypto@.hmac(substr(message, length(message) - 31), blind, 'sha256'::text)
        = @pgcrypto@.hmac(tag, blind, 'sha256'::text)
      then
        return @pgcrypto@.decrypt_iv(
          ciphertext, vault._derive_key('encryption', key_id, context), nonce, 'aes-cbc/pad:pkcs'::text
        );
      end if;
      raise exception using errcode = 'data_exception', message = 'invalid ciphertext',
        detail = 'The secret was changed, or belongs to another row.';
    end
    $$;

    create table vault.secrets (
      id uuid primary key default gen_random_uuid(),
      name text,
      description text not null default '',
      secret text not null,
      key_id uuid,
      nonce bytea,
      created_at timestamptz not null default current_timestamp,
      updated_at timestamptz not null default current_timestamp
    );
    alter table vault.secrets enable row level security;
    create unique index on vault.secrets (name) where name is not null;

    create view vault.decrypted_secrets as
      select
        id, name, description, secret,
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
        key_id, nonce, created_at, updated_at
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

    create function vault.create_secret(
      new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
    )
    returns uuid
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
      new_id uuid := gen_random_uuid();
      new_nonce bytea := @pgcrypto@.gen_random_bytes(16);
    begin
      insert into vault.secrets (id, name, description, secret, nonce)
        values (new_id, new_name, new_description, vault._encrypt_secret(new_secret, new_id, new_nonce), new_nonce);
      return new_id;
    end
    $$;

    create function vault.update_secret(
      secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
      new_key_id uuid default null
    )
    returns void
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
      new_nonce bytea := @pgcrypto@.gen_random_bytes(16);
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
  $sql$, '@pgcrypto@', pgcrypto::text);

  revoke execute on all functions in schema vault from public;
  grant usage on schema vault to service_role;
  grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
  grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt to service_role;
end
$do$;
