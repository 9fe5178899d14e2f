-- Jobs that run by a schedule. Names, parameters, columns and messages are those of pg_cron 1.6. A service of Greenroom
-- (services/jobs/cron) runs the jobs.
--
-- All functions run with the rights of their caller. A trigger permits changes of a job only to its owner, so every role may write
-- to the table. Tables belong to greenroom_net, a role without other rights, which the service logs in with: triggers of a project
-- on the table of runs get no rights of the superuser.

-- PostgreSQL runs the script with the schema of the extension in the path, where a project can create functions.
select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

do $$
begin
  if to_regrole('greenroom_net') is null then
    create role greenroom_net with noinherit;
  end if;
end
$$;

create sequence cron.runid_seq;
create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default nextval('cron.runid_seq'),
  job_pid int,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
create index job_run_details_jobid_runid_idx on cron.job_run_details (jobid, runid);
create index job_run_details_start_time_idx on cron.job_run_details (start_time);
create index job_run_details_unfinished_idx on cron.job_run_details (runid) where status in ('starting', 'running');
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

-- A number or a name of a field; null if it is neither.
create function cron._field_value(value text, names text[], first_name int) returns int
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    array_position(names, lower(value)) - 1 + first_name,
    case when value ~ '^0*[0-9]{1,3}$' then value::int end
  )
$$;

-- A list of numbers, ranges and steps. `low` and `high` are the limits of the numbers.
create function cron._is_valid_field(field text, low int, high int, names text[] default '{}') returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  item text;
  parts text[];
  step int;
begin
  foreach item in array string_to_array(field, ',') loop
    parts := regexp_match(item, '^(?:([*])|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:/([0-9]+))?$');
    if parts is null then
      return false;
    end if;
    if parts[1] is null then
      if coalesce(cron._field_value(parts[2], names, low) not between low and high, true) then
        return false;
      end if;
      if parts[3] is null and parts[4] is not null
        or parts[3] is not null
          and coalesce(cron._field_value(parts[3], names, low) not between low and high, true)
      then
        return false;
      end if;
    end if;
    step := cron._field_value(coalesce(parts[4], '1'), '{}', 0);
    if coalesce(step not between 1 and high, true) then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- Five fields, of which the third may be $ for the last day of a month; a word; or an interval. A text after the fifth field is
-- ignored. services/jobs/cron/schedule.ts parses the same.
create function cron._is_valid_schedule(schedule text) returns boolean
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  line constant text := ltrim(translate(schedule, chr(9), ' '), concat(' ', chr(10)));
  fields text[];
begin
  if octet_length(schedule) >= 1000 then
    return false;
  end if;
  if line ~ concat('^@(reboot|restart|yearly|annually|monthly|weekly|daily|midnight|hourly)([ ', chr(10), ']|$)')
    or schedule ~* '^[[:space:]]*[+]?0*([1-9]|[1-5][0-9])[[:space:]]*second(s[[:space:]]*)?$'
  then
    return true;
  end if;
  fields := regexp_match(line, concat('^', repeat('([^[:space:]]+) +', 4), '([^[:space:]]+)'));
  return fields is not null
    and cron._is_valid_field(fields[1], 0, 59)
    and cron._is_valid_field(fields[2], 0, 23)
    and (fields[3] = '$' or cron._is_valid_field(fields[3], 1, 31))
    and cron._is_valid_field(
      fields[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}'
    )
    and cron._is_valid_field(fields[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}');
end
$$;

create function cron._require_schedule(schedule text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not cron._is_valid_schedule(schedule) then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = concat('invalid schedule: ', schedule),
      hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
end
$$;

-- Raises an error unless the caller may name this role as the owner of a job.
create function cron._require_other_owner(username text, operation text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  can_login boolean := (select rolcanlogin from pg_roles where rolname = $1);
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    raise exception using errcode = 'insufficient_privilege', message = concat('must be superuser to ', operation);
  end if;
  if can_login is null then
    raise exception using errcode = 'undefined_object', message = format('role "%s" does not exist', username);
  end if;
  if not can_login then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = format('role "%s" can not log in', username),
      detail = 'Jobs may only be run by roles that have the LOGIN attribute.';
  end if;
end
$$;

create function cron._require_database(database text, username text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from pg_database where datname = database) then
    raise exception using
      errcode = 'invalid_catalog_name', message = format('database "%s" does not exist', database);
  end if;
  if not has_database_privilege(username, database, 'connect') then
    raise exception using
      errcode = 'insufficient_privilege',
      message = format('User %s does not have CONNECT privilege on %s', username, database);
  end if;
end
$$;

create function cron._schedule(
  job_name text, schedule text, command text, database text, username text, active boolean
)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  new_id bigint;
begin
  if $2 is null or $3 is null then
    raise exception '% can not be NULL', case when $2 is null then 'schedule' else 'command' end;
  end if;
  perform cron._require_schedule($2);
  if $5 is not null then
    perform cron._require_other_owner($5, 'create a job for another role');
  end if;
  perform cron._require_database(coalesce($4, current_database()), coalesce($5, current_user));
  insert into cron.job (jobname, schedule, command, database, username, active)
    values ($1, $2, $3, coalesce($4, current_database()), coalesce($5, current_user), coalesce($6, true))
    on conflict on constraint jobname_username_uniq do update
      set schedule = excluded.schedule, command = excluded.command, database = excluded.database
    returning jobid into new_id;
  return new_id;
end
$$;

create or replace function cron.schedule(schedule text, command text) returns bigint
language sql strict
set search_path = pg_catalog, pg_temp
as $$ select cron._schedule(null::text, $1, $2, null::text, null::text, true) $$;

create or replace function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if $1 is null then
    raise exception 'job_name can not be NULL';
  end if;
  return cron._schedule($1, $2, $3, $4, $5, $6);
end
$$;

create or replace function cron.schedule(job_name text, schedule text, command text) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if $1 is null then
    raise exception 'job_name can not be NULL';
  end if;
  return cron._schedule($1, $2, $3, null::text, null::text, true);
end
$$;

create or replace function cron.alter_job(
  job_id bigint,
  schedule text default null,
  command text default null,
  database text default null,
  username text default null,
  active boolean default null
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  if $1 is null then
    raise exception 'job_id can not be NULL';
  end if;
  if $5 is not null then
    perform cron._require_other_owner($5, 'alter username');
  end if;
  if $4 is not null then
    perform cron._require_database($4, coalesce($5, current_user));
  end if;
  perform cron._require_schedule($2) where $2 is not null;
  if num_nonnulls($2, $3, $4, $5, $6) = 0 then
    raise exception using
      message = 'no updates specified',
      hint = 'You must specify at least one job attribute to change when calling alter_job';
  end if;
  update cron.job
    set
      schedule = coalesce($2, schedule),
      command = coalesce($3, command),
      database = coalesce($4, database),
      username = coalesce($5, username),
      active = coalesce($6, active)
    where jobid = $1
      and (username = current_user or (select rolsuper from pg_roles where rolname = current_user));
  if not found then
    raise exception 'Job % does not exist or you don''t own it', $1;
  end if;
end
$$;

create or replace function cron.unschedule(job_id bigint) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from cron.job where jobid = $1;
  if not found then
    raise exception 'could not find valid entry for job %', $1;
  end if;
  return true;
end
$$;
alter function cron.unschedule(bigint) strict;

create or replace function cron.unschedule(job_name text) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from cron.job where jobname = $1 and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', $1;
  end if;
  return true;
end
$$;
alter function cron.unschedule(text) strict;

-- A role that bypasses row-level security, such as service_role, must not change jobs of others, which run with other rights. It
-- may change those of a role that it can become.
create function cron._check_owner() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  owner text;
begin
  foreach owner in array array_remove(array[old.username, new.username], null) loop
    if owner <> current_user
      and not (select rolsuper from pg_roles where rolname = current_user)
      and not coalesce((select pg_has_role(oid, 'set') from pg_roles where rolname = owner), false)
    then
      raise exception using
        errcode = 'insufficient_privilege',
        message = case tg_op when 'DELETE' then 'permission denied for table job'
          else concat('must be superuser to ', case tg_op when 'INSERT' then 'create' else 'alter' end, ' a job for another role') end;
    end if;
  end loop;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

-- Notifies the service when the transaction has committed.
create function cron.job_cache_invalidate() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('greenroom_cron', '');
  return null;
end
$$;

create trigger cron_job_check_owner before insert or update or delete on cron.job
  for each row execute function cron._check_owner();
create trigger cron_job_cache_invalidate after insert or update or delete or truncate on cron.job
  for each statement execute function cron.job_cache_invalidate();
-- Also in sessions that disable the triggers of projects.
alter table cron.job enable always trigger cron_job_check_owner;
alter table cron.job enable always trigger cron_job_cache_invalidate;

-- Objects of a project that depend on the view of the placeholder read the table from now on.
do $$
begin
  if to_regclass('cron._placeholder_run_details') is not null then
    create or replace view cron._placeholder_run_details as
      select jobid, runid, job_pid, database, username, command, status, return_message, start_time, end_time
      from cron.job_run_details;
    alter view cron._placeholder_run_details owner to greenroom_net;
    alter view cron._placeholder_run_details set (security_invoker = true);
    begin
      drop view cron._placeholder_run_details;
    exception when dependent_objects_still_exist then
      null;
    end;
  end if;
end
$$;

alter table cron.job owner to greenroom_net;
alter table cron.job_run_details owner to greenroom_net;
alter sequence cron.jobid_seq owner to greenroom_net;
alter sequence cron.runid_seq owner to greenroom_net;

-- Rows of the tables belong to the project, so pg_dump contains them.
select pg_extension_config_dump('cron.job', '');
select pg_extension_config_dump('cron.jobid_seq', '');
select pg_extension_config_dump('cron.job_run_details', '');
select pg_extension_config_dump('cron.runid_seq', '');

-- A role that may use the schema schedules jobs of its own, and deletes its own runs.
grant usage on schema cron to greenroom_net;
grant select, insert, update, delete on cron.job to public;
grant select, delete on cron.job_run_details to public;
grant usage, select on sequence cron.jobid_seq to public;
grant select on sequence cron.runid_seq to public;
-- They can name other databases.
revoke execute on function cron.alter_job(bigint, text, text, text, text, boolean),
  cron.schedule_in_database(text, text, text, text, text, boolean) from public;

-- The objects of a trusted extension belong to a superuser.
do $$
declare
  owner text;
begin
  for owner in
    select oid::regrole::text from pg_roles
    where oid in ('@extowner@'::regrole, to_regrole('postgres')) and rolname <> current_user
  loop
    execute format('grant all on schema cron to %s with grant option', owner);
    execute format('grant all on cron.job, cron.job_run_details to %s with grant option', owner);
    execute format('grant all on sequence cron.jobid_seq, cron.runid_seq to %s with grant option', owner);
    execute format('grant execute on all functions in schema cron to %s with grant option', owner);
  end loop;
end
$$;
