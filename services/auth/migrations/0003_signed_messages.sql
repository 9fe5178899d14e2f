-- Messages that wallets have signed and that were used to sign in. A message is good once; without this it would be
-- good again and again until it is too old. The hosted service has no such table.
set local role supabase_auth_admin;

create table auth.signed_messages (
  -- SHA-256 of what was signed.
  digest bytea primary key check (octet_length(digest) = 32),
  -- From then on the message is refused for its age.
  expires_at timestamptz not null
);
create index signed_messages_expires_at_idx on auth.signed_messages (expires_at);
comment on table auth.signed_messages is 'Messages signed by wallets that were used up.';

alter table auth.signed_messages enable row level security;
grant all on auth.signed_messages to dashboard_user;

reset role;
