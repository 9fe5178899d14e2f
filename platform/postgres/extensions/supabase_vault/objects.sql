-- Objects of the placeholder of supabase_vault; the functions that raise an error are created after them.

do $$
declare
  grantee text;
begin
  for grantee in select rolname from pg_roles where rolname in ('service_role')
  loop
    execute pg_catalog.format('grant usage on schema vault to %I', grantee);
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

-- The objects of a trusted extension belong to a superuser.
grant select on all tables in schema vault to @extowner@ with grant option;
