-- Deliveries of database webhooks: attempts that are repeated, and those that failed for good. The trigger adds a row for each
-- request; it disappears when the request succeeds.

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  if not (select rolsuper from pg_roles where rolname = current_user) then
    grant greenroom_net to current_user;
  end if;
  -- Owners of functions and tables need the right to create some.
  grant usage, create on schema greenroom to greenroom_net;
end
$$;

create table greenroom.webhooks (
  -- The header webhook-id of all attempts.
  id uuid primary key default gen_random_uuid(),
  -- sending: in net.http_request_queue. waiting: until the next attempt. failed: no further attempt.
  state text not null default 'sending' check (state in ('sending', 'waiting', 'failed')),
  -- The request of the current attempt in net.http_request_queue; null between attempts.
  request_id bigint constraint webhooks_request_id_key unique,
  -- The requests of all attempts, oldest first, as in net._http_response.
  request_ids bigint[] not null,
  hook_name text not null,
  table_name text not null,
  url text not null,
  -- Ended attempts.
  attempts int not null default 0,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  failed_at timestamptz,
  last_status int,
  last_error text,
  -- The rest of the request; null while it is in the queue.
  method text,
  headers jsonb,
  body bytea,
  timeout_milliseconds int
);
create index on greenroom.webhooks (next_attempt_at) where state = 'waiting';
create index on greenroom.webhooks (failed_at) where state = 'failed';
alter table greenroom.webhooks enable row level security;
comment on table greenroom.webhooks is 'Database webhooks that have not succeeded yet, and failed ones.';

create view greenroom.webhook_deliveries as
  select id, state, hook_name, table_name, method, url, convert_from(body, 'UTF8') as payload, attempts, created_at,
    next_attempt_at, failed_at, last_status, last_error, request_ids
  from greenroom.webhooks;
comment on view greenroom.webhook_deliveries is
  'Database webhooks that have not succeeded yet, and failed ones. Deleting a row ends its attempts.';

-- Called by the trigger function after it has added a request.
create function greenroom.record_webhook(new_request_id bigint, hook_name text, table_name text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- PostgreSQL itself sends the requests of the hosted service's extension.
  if not exists (
    select from pg_class where oid = to_regclass('net.http_request_queue') and relowner = current_user::regrole
  ) then
    return;
  end if;
  -- Ids of requests begin again when the extension is created again. Such a row belongs to a request that is gone.
  delete from greenroom.webhooks as w where w.request_id = new_request_id;
  insert into greenroom.webhooks (request_id, request_ids, hook_name, table_name, url)
    select new_request_id, array[new_request_id], record_webhook.hook_name, record_webhook.table_name, q.url
    from net.http_request_queue as q where q.id = new_request_id;
end
$$;

create function greenroom.replay_webhook(delivery_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update greenroom.webhooks as w
    set state = 'waiting', attempts = 0, next_attempt_at = now(), failed_at = null
    where w.id = delivery_id and w.state = 'failed';
  if not found then
    return false;
  end if;
  perform pg_notify('greenroom_net', '');
  return true;
end
$$;
comment on function greenroom.replay_webhook is 'Sends a failed webhook again. Returns whether it was failed.';

create function greenroom.replay_webhooks() returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  count bigint;
begin
  update greenroom.webhooks set state = 'waiting', attempts = 0, next_attempt_at = now(), failed_at = null
    where state = 'failed';
  get diagnostics count = row_count;
  perform pg_notify('greenroom_net', '');
  return count;
end
$$;
comment on function greenroom.replay_webhooks is 'Sends all failed webhooks again. Returns their number.';

alter table greenroom.webhooks owner to greenroom_net;
alter view greenroom.webhook_deliveries owner to greenroom_net;
alter function greenroom.record_webhook(bigint, text, text) owner to greenroom_net;
alter function greenroom.replay_webhook(uuid) owner to greenroom_net;
alter function greenroom.replay_webhooks() owner to greenroom_net;
revoke create on schema greenroom from greenroom_net;
revoke execute on function greenroom.record_webhook, greenroom.replay_webhook, greenroom.replay_webhooks from public;

grant usage on schema greenroom to supabase_functions_admin;
grant execute on function greenroom.record_webhook to supabase_functions_admin;

do $do$
declare
  grantee text;
begin
  foreach grantee in array array['postgres', 'service_role']
  loop
    continue when to_regrole(grantee) is null;
    execute format('grant usage on schema greenroom to %I', grantee);
    execute format('grant select, delete on greenroom.webhook_deliveries to %I', grantee);
    execute format(
      'grant execute on function greenroom.replay_webhook, greenroom.replay_webhooks to %I', grantee
    );
  end loop;

  -- Only the function of 0002_webhooks.sql: a database may have one of its own.
  if not exists (
    select from pg_catalog.pg_proc
    where oid = to_regprocedure('supabase_functions.http_request()')
      and prosrc like '%database webhooks require the extension pg_net%'
  ) then
    return;
  end if;
  execute $sql$
    create or replace function supabase_functions.http_request() returns trigger
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
      url constant text := nullif(tg_argv[0], 'null');
      method constant text := nullif(tg_argv[1], 'null');
      headers constant jsonb := coalesce(nullif(tg_argv[2], 'null')::jsonb, '{"Content-Type": "application/json"}');
      params constant jsonb := coalesce(nullif(tg_argv[3], 'null')::jsonb, '{}');
      timeout_ms constant int := coalesce(nullif(tg_argv[4], 'null')::int, 1000);
      request_id bigint;
    begin
      if url is null or method is null then
        raise exception using
          errcode = 'invalid_parameter_value',
          message = concat(case when url is null then 'url' else 'method' end, ' argument is missing');
      end if;
      if to_regproc('net.http_post') is null then
        raise exception using
          errcode = 'undefined_function',
          message = 'database webhooks require the extension pg_net',
          hint = 'create extension pg_net with schema extensions';
      end if;
      case method
        when 'GET' then
          request_id := net.http_get(url, params, headers, timeout_ms);
        when 'POST' then
          request_id := net.http_post(
            url,
            jsonb_build_object(
              'old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema
            ),
            params,
            headers,
            timeout_ms
          );
        else
          raise exception using
            errcode = 'invalid_parameter_value', message = format('method argument %s is invalid', method);
      end case;
      insert into supabase_functions.hooks (hook_table_id, hook_name, request_id)
        values (tg_relid::int, tg_name, request_id);
      perform greenroom.record_webhook(request_id, tg_name, format('%I.%I', tg_table_schema, tg_table_name));
      return coalesce(new, old);
    end
    $$
  $sql$;
end
$do$;
