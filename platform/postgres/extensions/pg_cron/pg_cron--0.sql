-- The table of jobs, which the former placeholder has, too. The update to 1.6.4 creates all other objects.

-- PostgreSQL runs the script with the schema of the extension in the path, where a project can create functions.
select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

do $$
begin
  if to_regnamespace('cron') is null then
    create schema cron;
  end if;
end
$$;

create sequence cron.jobid_seq;
create table cron.job (
  jobid bigint primary key default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport int not null default coalesce(inet_server_port(), current_setting('port')::int),
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
