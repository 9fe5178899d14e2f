-- Objects of the placeholder of pgsodium; the functions that raise an error are created after them.

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

-- The objects of a trusted extension belong to a superuser.
grant select on all tables in schema pgsodium to @extowner@ with grant option;
