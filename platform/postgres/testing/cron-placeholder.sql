-- Objects of the placeholder of pg_cron in earlier versions, beside the table of jobs, as members of the extension.

-- Empty, because no job is run.
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

-- A role that may use the schema schedules jobs of its own.
grant select, insert, update, delete on cron.job to public;
grant usage on sequence cron.jobid_seq to public;
grant select on cron.job_run_details to public;
-- The objects of a trusted extension belong to a superuser.
grant all on schema cron to postgres with grant option;
grant all on cron.job, cron.job_run_details to postgres with grant option;
grant all on sequence cron.jobid_seq to postgres with grant option;

-- Messages of errors are those of pg_cron.
create function cron.schedule_in_database(
  job_name text,
  schedule text,
  command text,
  database text,
  username text default null,
  active boolean default true
)
returns bigint language plpgsql as $function$
#variable_conflict use_column
declare
  -- Five fields, a macro, or an interval.
  form constant text := '^\s*(\S+(\s+\S+){4}|@\w+|([1-9]|[1-5][0-9]) seconds?)\s*$';
  id bigint;
begin
  if $2 is null or $2 !~* form then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = format('invalid schedule: %s', $2),
      hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
  insert into cron.job (jobname, schedule, command, database, username, active)
  values ($1, $2, $3, $4, coalesce($5, current_user), $6)
  on conflict on constraint jobname_username_uniq do update
    set schedule = excluded.schedule, command = excluded.command, database = excluded.database, active = excluded.active
  returning jobid into id;
  raise notice using
    message = format('job %s is stored, but not run', coalesce(quote_literal($1), id::text)),
    hint = 'pg_cron is a placeholder.';
  return id;
end
$function$;

create function cron.schedule(job_name text, schedule text, command text)
returns bigint language sql as $function$
  select cron.schedule_in_database($1, $2, $3, current_database()::text);
$function$;

create function cron.schedule(schedule text, command text)
returns bigint language sql as $function$
  select cron.schedule_in_database(null, $1, $2, current_database()::text);
$function$;

create function cron.alter_job(
  job_id bigint,
  schedule text default null,
  command text default null,
  database text default null,
  username text default null,
  active boolean default null
)
returns void language plpgsql as $function$
#variable_conflict use_column
begin
  update cron.job
  set
    schedule = coalesce($2, schedule),
    command = coalesce($3, command),
    database = coalesce($4, database),
    username = coalesce($5, username),
    active = coalesce($6, active)
  where jobid = $1;
  if not found then
    raise exception 'Job % does not exist or you don''t own it', $1;
  end if;
end
$function$;

create function cron.unschedule(job_id bigint)
returns boolean language plpgsql as $function$
begin
  delete from cron.job where jobid = $1;
  if not found then
    raise exception 'could not find valid entry for job ''%''', $1;
  end if;
  return true;
end
$function$;

create function cron.unschedule(job_name text)
returns boolean language plpgsql as $function$
begin
  delete from cron.job where jobname = $1 and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', $1;
  end if;
  return true;
end
$function$;

alter extension pg_cron add view cron.job_run_details;
alter extension pg_cron add function cron.schedule_in_database(text, text, text, text, text, boolean);
alter extension pg_cron add function cron.schedule(text, text, text);
alter extension pg_cron add function cron.schedule(text, text);
alter extension pg_cron add function cron.alter_job(bigint, text, text, text, text, boolean);
alter extension pg_cron add function cron.unschedule(bigint);
alter extension pg_cron add function cron.unschedule(text);
