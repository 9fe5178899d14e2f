-- Objects of the placeholder of pg_net; the functions that raise an error are created after them.

do $$
begin
  if not exists (select from pg_namespace where nspname = 'net') then
    create schema net;
  end if;
end
$$;

do $$
declare
  grantee text;
begin
  for grantee in select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
  loop
    execute pg_catalog.format('grant usage on schema net to %I', grantee);
  end loop;
end
$$;

-- Empty, because no request is sent.
create view net._http_response as
  select
    null::bigint as id,
    null::int as status_code,
    null::text as content_type,
    null::jsonb as headers,
    null::text as content,
    null::boolean as timed_out,
    null::text as error_msg,
    null::timestamptz as created
  where false;

-- The objects of a trusted extension belong to a superuser.
grant all on schema net to @extowner@ with grant option;
grant select on all tables in schema net to @extowner@ with grant option;
