-- The identity of the instance. The store of objects carries the same id, and storage sweeps a store only while both ids
-- are equal: a new or another database knows none of the content, and would take all of it for leftovers.
create table greenroom.instance (
  is_only boolean primary key default true check (is_only),
  -- Null until the first start has found a store for this database.
  id uuid,
  -- Whether the database was in use before instances had ids, and has not met its store since. Its store has no id either.
  is_from_before_ids boolean not null default false
);
alter table greenroom.instance enable row level security;
comment on table greenroom.instance is 'The id that this database shares with its store of objects.';

-- In a new database, migrations of services run after those of the platform.
insert into greenroom.instance (is_from_before_ids)
  select exists (select from greenroom.migrations where service = 'storage');

-- Storage alone logs in as its own role.
create policy storage_identity on greenroom.instance for all to supabase_storage_admin using (true) with check (true);
grant usage on schema greenroom to supabase_storage_admin;
grant select, insert, update on greenroom.instance to supabase_storage_admin;
