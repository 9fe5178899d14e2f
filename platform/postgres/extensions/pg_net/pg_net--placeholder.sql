-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pg_net is a placeholder: HTTP requests are not sent',
    hint = 'Functions of schema net raise an error when they are called.';
  perform set_config('client_min_messages', minimum, true);
end
$$;

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
    execute format('grant usage on schema net to %I', grantee);
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

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'net.http_get(url text, params jsonb default ''{}'', headers jsonb default ''{}'', timeout_milliseconds int default 5000) returns bigint',
    'net.http_post(url text, body jsonb default ''{}'', params jsonb default ''{}'', headers jsonb default ''{"Content-Type": "application/json"}'', timeout_milliseconds int default 5000) returns bigint',
    'net.http_delete(url text, params jsonb default ''{}'', headers jsonb default ''{}'', timeout_milliseconds int default 5000, body jsonb default null) returns bigint'
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
      'The extension pg_net is a placeholder: HTTP requests are not sent.'
    );
  end loop;
end
$script$;

-- The objects of a trusted extension belong to a superuser.
grant all on schema net to @extowner@ with grant option;
grant select on all tables in schema net to @extowner@ with grant option;
