-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pgsodium is a placeholder: encryption is not available',
    hint = 'Functions of schema pgsodium raise an error when they are called.';
  perform set_config('client_min_messages', minimum, true);
end
$$;

-- Empty, because no key can be created.
create view pgsodium.valid_key as
  select
    null::uuid as id,
    null::text as name,
    null::text as status,
    null::text as key_type,
    null::bigint as key_id,
    null::bytea as key_context,
    null::timestamptz as created,
    null::timestamptz as expires,
    null::text as associated_data
  where false;

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'pgsodium.create_key(key_type text default ''aead-det'', name text default null) returns pgsodium.valid_key',
    'pgsodium.crypto_aead_det_keygen() returns bytea',
    'pgsodium.crypto_aead_det_encrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea',
    'pgsodium.crypto_aead_det_decrypt(ciphertext bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea'
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
      'The extension pgsodium is a placeholder. pgcrypto has functions for encryption.'
    );
  end loop;
end
$script$;

-- The objects of a trusted extension belong to a superuser.
grant select on all tables in schema pgsodium to @extowner@ with grant option;
