-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pg_cron is a placeholder: jobs are not run',
    hint = 'Functions of schema cron raise an error when they are called.';
  perform set_config('client_min_messages', minimum, true);
end
$$;

do $$
begin
  if not exists (select from pg_namespace where nspname = 'cron') then
    create schema cron;
  end if;
end
$$;

-- Empty, because no job can be scheduled.
create view cron.job as
  select
    null::bigint as jobid,
    null::text as schedule,
    null::text as command,
    null::text as nodename,
    null::int as nodeport,
    null::text as database,
    null::text as username,
    null::boolean as active,
    null::text as jobname
  where false;
create view cron.job_run_details as
  select
    null::bigint as jobid,
    null::bigint as runid,
    null::int as job_pid,
    null::text as database,
    null::text as username,
    null::text as command,
    null::text as status,
    null::text as return_message,
    null::timestamptz as start_time,
    null::timestamptz as end_time
  where false;

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'cron.schedule(schedule text, command text) returns bigint',
    'cron.schedule(job_name text, schedule text, command text) returns bigint',
    'cron.schedule_in_database(job_name text, schedule text, command text, database text, username text default null, active boolean default true) returns bigint',
    'cron.alter_job(job_id bigint, schedule text default null, command text default null, database text default null, username text default null, active boolean default null) returns void',
    'cron.unschedule(job_id bigint) returns boolean',
    'cron.unschedule(job_name text) returns boolean'
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
      'The extension pg_cron is a placeholder: jobs are not run.'
    );
  end loop;
end
$script$;

-- The objects of a trusted extension belong to a superuser.
grant all on schema cron to @extowner@ with grant option;
grant select on all tables in schema cron to @extowner@ with grant option;
