-- Indexes for the admin's list of users (services/auth/admin/list-users.ts): one has the order of the list, the other the number
-- of users of an audience; it is small, because equal keys are stored once. The hosted service has neither.
set local role supabase_auth_admin;

create index users_list_idx on auth.users (aud, created_at, id)
  where instance_id = '00000000-0000-0000-0000-000000000000';
create index users_count_idx on auth.users (aud)
  where instance_id = '00000000-0000-0000-0000-000000000000';

-- Both are read without the table where the visibility map is up to date. Each sign-in updates a row of a random page, so with
-- the default of 20 % every page would be out of date before a vacuum.
alter table auth.users set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02
);

reset role;
