-- Objects of the placeholder of pg_cron; the functions that raise an error are created after them.

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

-- The objects of a trusted extension belong to a superuser.
grant all on schema cron to @extowner@ with grant option;
grant select on all tables in schema cron to @extowner@ with grant option;
