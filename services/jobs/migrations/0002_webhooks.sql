-- Database webhooks, as the Supabase CLI sets them up: triggers call `supabase_functions.http_request`, which adds a request of
-- pg_net. A database that has objects of its own in the schema keeps them.

do $$
begin
  if to_regrole('supabase_functions_admin') is null then
    create role supabase_functions_admin with noinherit;
  end if;
end
$$;

do $do$
declare
  grantee text;
begin
  if not exists (
      select from pg_catalog.pg_namespace where nspname = 'supabase_functions' and nspowner = current_user::regrole
    )
    or exists (
      select from pg_catalog.pg_class where relnamespace = to_regnamespace('supabase_functions')
      union all
      select from pg_catalog.pg_proc where pronamespace = to_regnamespace('supabase_functions')
    )
  then
    return;
  end if;

  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    grant supabase_functions_admin to current_user;
  end if;
  grant all on schema supabase_functions to supabase_functions_admin;

  create table supabase_functions.migrations (
    version text primary key,
    inserted_at timestamptz not null default now()
  );
  insert into supabase_functions.migrations (version) values ('initial'), ('20210809183423_update_grants');

  create table supabase_functions.hooks (
    id bigserial primary key,
    hook_table_id int not null,
    hook_name text not null,
    created_at timestamptz not null default now(),
    request_id bigint
  );
  create index supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
  create index supabase_functions_hooks_h_table_id_h_name_idx on supabase_functions.hooks (hook_table_id, hook_name);
  comment on table supabase_functions.hooks is 'Requests that webhooks have caused.';
  alter table supabase_functions.migrations enable row level security;
  alter table supabase_functions.hooks enable row level security;

  -- Arguments of the trigger: URL, method (GET or POST), headers, parameters, timeout in milliseconds. The text `null` stands
  -- for a missing argument.
  create function supabase_functions.http_request() returns trigger
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
    return coalesce(new, old);
  end
  $$;

  alter table supabase_functions.migrations owner to supabase_functions_admin;
  alter table supabase_functions.hooks owner to supabase_functions_admin;
  alter function supabase_functions.http_request() owner to supabase_functions_admin;

  revoke execute on function supabase_functions.http_request() from public;
  foreach grantee in array array['postgres', 'anon', 'authenticated', 'service_role']
  loop
    if to_regrole(grantee) is not null then
      execute format('grant execute on function supabase_functions.http_request() to %I', grantee);
    end if;
  end loop;
  if to_regrole('service_role') is not null then
    grant select on supabase_functions.hooks to service_role;
  end if;
  if greenroom.has_hosted_roles() then
    grant supabase_functions_admin to postgres;
  end if;
end
$do$;
