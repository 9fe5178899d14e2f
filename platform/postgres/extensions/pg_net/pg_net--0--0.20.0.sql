-- HTTP requests that are sent after commit. Names, parameters and columns are those of pg_net 0.20.0. A service of Greenroom
-- (services/jobs) sends the requests.
--
-- Tables and functions belong to greenroom_net, a role without other rights, which the service logs in with: triggers and
-- casts of a project that run in its sessions get no rights of the superuser.

-- PostgreSQL runs the script with the schema of the extension in the path, where a project can create functions.
select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

do $$
begin
  if to_regrole('greenroom_net') is null then
    create role greenroom_net with noinherit;
  end if;
  if to_regnamespace('net') is null then
    create schema net;
  end if;
end
$$;

create domain net.http_method as text check (lower(value) in ('get', 'post', 'delete'));

-- Unlike the tables of the hosted service, these are logged: a request survives a crash of PostgreSQL.
create table net.http_request_queue (
  id bigserial,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds int not null
);
create unique index on net.http_request_queue (id);
alter table net.http_request_queue enable row level security;
comment on table net.http_request_queue is 'HTTP requests that have not been answered yet.';

create table net._http_response (
  id bigint,
  status_code int,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (created);
create index on net._http_response (id);
alter table net._http_response enable row level security;
comment on table net._http_response is 'Responses to HTTP requests, which are deleted after some hours.';

-- Webhooks whose requests were in the tables of a dropped extension. Ids of requests begin again.
do $$
begin
  if to_regclass('greenroom.webhooks') is not null then
    delete from greenroom.webhooks where state = 'sending';
  end if;
end
$$;

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code int, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

-- Encodes every byte except for those of unreserved characters (RFC 3986 §2.3).
create function net._urlencode_string(string varchar) returns text
language sql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    string_agg(
      case when part ~ '^[-0-9A-Za-z._~]$' collate "C" then part
        else regexp_replace(upper(encode(convert_to(part, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
      '' order by place
    ),
    ''
  )
  from regexp_split_to_table(string, '') with ordinality as parts (part, place)
  where part <> ''
$$;

-- Appends parameters to the query of a URL, in front of its fragment.
create function net._encode_url_with_params_array(url text, params_array text[]) returns text
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  parts text[] := regexp_match(url, '^(https?://[^/?#]+)([^?#]*)([?][^#]*)?(#.*)?$', 'i');
  query text;
begin
  if parts is null then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = case when url ~* '^https?:' or url !~ '^[A-Za-z][-+.0-9A-Za-z]*:' then concat('invalid URL "', left(url, 200), '"')
        else 'Unsupported URL scheme' end,
      hint = 'A URL begins with http:// or https:// and a host.';
  end if;
  if url ~ '[[:space:][:cntrl:]]' then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = concat('invalid URL "', left(url, 200), '"'),
      hint = 'A URL contains neither spaces nor control characters. Encode them as %20, or pass them as params.';
  end if;
  query := array_to_string(array_remove(array[nullif(substr(parts[3], 2), '')] || params_array, null), '&');
  return concat(
    parts[1], coalesce(nullif(parts[2], ''), '/'), case when query <> '' then '?' end, query, parts[4]
  );
end
$$;

-- Adds a request. The notification arrives when the transaction has committed, once for all of its requests.
create function net._enqueue(
  method text, url text, params jsonb, headers jsonb, body bytea, timeout_milliseconds int
)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  request_id bigint;
  encoded text[] := array(
    select concat(net._urlencode_string(key), '=', net._urlencode_string(coalesce(value, '')))
    from jsonb_each_text(params)
  );
begin
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
    values (method, net._encode_url_with_params_array(url, encoded), headers, body, timeout_milliseconds)
    returning id into request_id;
  perform pg_notify('greenroom_net', '');
  return request_id;
end
$$;

create or replace function net.http_get(
  url text,
  params jsonb default '{}',
  headers jsonb default '{}',
  timeout_milliseconds int default 5000
)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return net._enqueue('GET', url, params, headers, null, timeout_milliseconds);
end
$$;

create or replace function net.http_post(
  url text,
  body jsonb default '{}',
  params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}',
  timeout_milliseconds int default 5000
)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  content_type text := (
    select value from jsonb_each_text(headers) where lower(key) = 'content-type' limit 1
  );
begin
  if content_type is null then
    headers := headers || '{"Content-Type": "application/json"}';
  elsif content_type <> 'application/json' then
    raise exception using
      errcode = 'invalid_parameter_value', message = 'Content-Type header must be "application/json"';
  end if;
  return net._enqueue('POST', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds);
end
$$;

create or replace function net.http_delete(
  url text,
  params jsonb default '{}',
  headers jsonb default '{}',
  timeout_milliseconds int default 5000,
  body jsonb default null
)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return net._enqueue('DELETE', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds);
end
$$;

create function net._await_response(request_id bigint) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  while not exists (select from net._http_response where id = request_id) loop
    perform pg_sleep(0.05);
  end loop;
  return true;
end
$$;

create function net._http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  found_response net._http_response;
begin
  if not async then
    perform net._await_response(request_id);
  end if;
  select * into found_response from net._http_response where id = request_id limit 1;
  if found_response.id is null or found_response.error_msg is not null then
    return row(
      'ERROR', coalesce(found_response.error_msg, 'request matching request_id not found'), null
    )::net.http_response_result;
  end if;
  return row(
    'SUCCESS', 'ok',
    row(found_response.status_code, found_response.headers, found_response.content)::net.http_response
  )::net.http_response_result;
end
$$;

create function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise notice using
    message = 'net.http_collect_response is deprecated', hint = 'Read net._http_response instead.';
  return net._http_collect_response(request_id, async);
end
$$;

-- The service holds this lock while it sends requests (services/jobs/session.ts).
create function net._is_running() returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from pg_locks
    where locktype = 'advisory' and classid = 1735553646 and objid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
  )
$$;

create function net.check_worker_is_up() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not net._is_running() then
    raise exception using
      message = 'no HTTP requests are sent',
      detail = 'No instance of Greenroom sends the requests of this database.',
      hint = 'Start Greenroom with the service jobs.';
  end if;
end
$$;

create function net.wait_until_running() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  while not net._is_running() loop
    perform pg_sleep(0.05);
  end loop;
end
$$;

create function net.wake() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$ select pg_notify('greenroom_net', '') $$;

create function net.worker_restart() returns boolean
language sql
set search_path = pg_catalog, pg_temp
as $$ select pg_notify('greenroom_net', '') is not null $$;

-- Objects of a project that depend on the view of the placeholder read the table from now on.
do $$
begin
  if to_regclass('net._placeholder_response') is not null then
    create or replace view net._placeholder_response as
      select id, status_code, content_type, headers, content, timed_out, error_msg, created from net._http_response;
    alter view net._placeholder_response owner to greenroom_net;
    begin
      drop view net._placeholder_response;
    exception when dependent_objects_still_exist then
      null;
    end;
  end if;
end
$$;

alter table net.http_request_queue owner to greenroom_net;
alter table net._http_response owner to greenroom_net;
alter function net._enqueue(text, text, jsonb, jsonb, bytea, int) owner to greenroom_net;
alter function net.http_get(text, jsonb, jsonb, int) owner to greenroom_net;
alter function net.http_post(text, jsonb, jsonb, jsonb, int) owner to greenroom_net;
alter function net.http_delete(text, jsonb, jsonb, int, jsonb) owner to greenroom_net;

-- Default privileges, or the placeholder, may have given rights to others.
do $$
declare
  entry record;
begin
  for entry in
    select distinct kind, identity, case grantee when 0 then 'public' else grantee::regrole::text end as grantee
    from (
      select case relkind when 'S' then 'sequence' else 'table' end as kind, oid::regclass::text as identity,
          relowner as owner, relacl as acl
        from pg_class
        where oid in ('net.http_request_queue'::regclass, 'net.http_request_queue_id_seq'::regclass,
          'net._http_response'::regclass, to_regclass('net._placeholder_response'))
      union all
      select 'function', oid::regprocedure::text, proowner, proacl
        from pg_proc
        where pronamespace = 'net'::regnamespace and proowner in (current_user::regrole, 'greenroom_net'::regrole)
    ) as objects cross join lateral aclexplode(acl)
    where grantor = owner and grantee <> owner
  loop
    execute format('revoke all on %s %s from %s cascade', entry.kind, entry.identity, entry.grantee);
  end loop;
end
$$;

-- As on the hosted service, every role may send requests. Only the owner of the database and service_role read responses.
do $$
declare
  owner text;
begin
  revoke execute on function net._enqueue, net._http_collect_response, net.http_collect_response, net._await_response,
    net.worker_restart from public;
  grant usage on schema net to public;
  grant usage on schema net to greenroom_net;
  grant execute on function net.http_get, net.http_post, net.http_delete, net._urlencode_string,
    net._encode_url_with_params_array, net.check_worker_is_up, net.wait_until_running, net.wake, net._is_running to public;
  for owner in
    select oid::regrole::text from pg_roles
    where oid in ('@extowner@'::regrole, to_regrole('postgres')) and rolname <> current_user
  loop
    execute format('grant usage on schema net to %s with grant option', owner);
    execute format('grant all on net.http_request_queue, net._http_response to %s with grant option', owner);
    execute format('grant all on sequence net.http_request_queue_id_seq to %s with grant option', owner);
    -- GRANT … ON ALL FUNCTIONS, which projects have in migrations, fails for a role without any right on one of them.
    execute format('grant execute on function net._enqueue, net.http_get, net.http_post, net.http_delete, net._urlencode_string,
      net._encode_url_with_params_array, net._await_response, net._http_collect_response, net.http_collect_response,
      net.check_worker_is_up, net.wait_until_running, net.wake, net.worker_restart, net._is_running
      to %s with grant option', owner);
  end loop;
  if to_regrole('service_role') is not null then
    grant select on net._http_response to service_role;
    grant execute on function net._http_collect_response, net.http_collect_response, net._await_response
      to service_role;
  end if;
end
$$;
