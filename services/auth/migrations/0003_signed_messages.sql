-- Messages that wallets have signed and that were used to sign in. A message is good once; without this it would be
-- good again and again until it is too old.
create table greenroom.signed_messages (
  -- SHA-256 of what was signed.
  digest bytea primary key check (octet_length(digest) = 32),
  -- From then on the message is refused for its age.
  expires_at timestamptz not null
);
create index signed_messages_expires_at_idx on greenroom.signed_messages (expires_at);
alter table greenroom.signed_messages enable row level security;
comment on table greenroom.signed_messages is 'Messages signed by wallets that were used up.';

create policy use_signed_messages on greenroom.signed_messages to supabase_auth_admin using (true) with check (true);
grant usage on schema greenroom to supabase_auth_admin;
-- Deleting in one row's turn takes a lock on it, which needs the right to update.
grant select, insert, update, delete on greenroom.signed_messages to supabase_auth_admin;
