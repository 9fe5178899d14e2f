-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'supabase_vault is a placeholder: secrets are not stored',
    hint = 'Functions of schema vault raise an error when they are called.';
  perform set_config('client_min_messages', minimum, true);
end
$$;

do $$
declare
  grantee text;
begin
  for grantee in select rolname from pg_roles where rolname in ('service_role')
  loop
    execute format('grant usage on schema vault to %I', grantee);
  end loop;
end
$$;

-- Empty, because no secret can be stored.
create view vault.secrets as
  select
    null::uuid as id,
    null::text as name,
    null::text as description,
    null::text as secret,
    null::uuid as key_id,
    null::bytea as nonce,
    null::timestamptz as created_at,
    null::timestamptz as updated_at
  where false;
create view vault.decrypted_secrets as
  select
    null::uuid as id,
    null::text as name,
    null::text as description,
    null::text as secret,
    null::text as decrypted_secret,
    null::uuid as key_id,
    null::bytea as nonce,
    null::timestamptz as created_at,
    null::timestamptz as updated_at
  where false;

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'vault.create_secret(new_secret text, new_name text default null, new_description text default '''', new_key_id uuid default null) returns uuid',
    'vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null, new_description text default null, new_key_id uuid default null) returns void'
  ]
  loop
    execute format(
      $create$
        create function %s language plpgsql as $function$
        begin
          raise exception using errcode = 'feature_not_supported', message = %L, hint = %L;
        end
        $function$
      $create$,
      signature,
      format('%s is not available', split_part(signature, '(', 1)),
      'The extension supabase_vault is a placeholder: secrets are not stored.'
    );
  end loop;
end
$script$;

-- The objects of a trusted extension belong to a superuser.
grant select on all tables in schema vault to @extowner@ with grant option;
