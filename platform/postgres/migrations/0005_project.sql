-- The project that the instance runs.
create table greenroom.project (
  is_only boolean primary key default true check (is_only),
  -- Whether the seeds of the project have still to be run: only in a new database, so that they never add their rows to
  -- data of users.
  are_seeds_due boolean not null
);
alter table greenroom.project enable row level security;
comment on table greenroom.project is 'Whether the seeds of the project have still to be run.';

-- In a new database, migrations of services run after those of the platform. A database from elsewhere may have tables.
insert into greenroom.project (are_seeds_due)
  select not exists (select from greenroom.migrations where service = 'auth')
    and to_regclass('auth.users') is null
    and to_regclass('supabase_migrations.schema_migrations') is null
    and not exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'));
