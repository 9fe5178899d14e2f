-- The order of the admin area's list by email address (app/features/admin/users/list-sql.ts). Users without an address come first.
-- The collation is fixed, so that the order does not depend on the database. The hosted service has no such index.
set local role supabase_auth_admin;

create index users_by_email_idx on auth.users (aud, (coalesce(email, '')) collate "C", id)
  where instance_id = '00000000-0000-0000-0000-000000000000';

reset role;
