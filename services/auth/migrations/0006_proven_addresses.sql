-- Addresses and numbers whose owner has shown that the mailbox or the phone is theirs. The confirmation times in auth.users
-- do not say so: with autoconfirm they are set by whoever signs up. The hosted service has no such tables.
set local role supabase_auth_admin;

create table auth.proven_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('email', 'phone')),
  -- As it was when it was proven, an email address in lower case. It counts only while the account has it.
  address text not null,
  proven_at timestamptz not null,
  primary key (user_id, kind)
);
comment on table auth.proven_addresses is 'Addresses of accounts that their owners have proven.';

-- Links that the admin API has made and an administrator delivers: they prove nothing of the mailbox.
create table auth.admin_links (
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null,
  primary key (user_id, token_type)
);
comment on table auth.admin_links is 'One-time tokens that an administrator delivers.';

alter table auth.proven_addresses enable row level security;
alter table auth.admin_links enable row level security;
grant all on auth.proven_addresses, auth.admin_links to dashboard_user;

-- Accounts of before: proven is what an identity calls verified (autoconfirm leaves that false), or what was confirmed
-- after a message was sent. Everything else counts as unproven, which changes nothing until its first proof.
insert into auth.proven_addresses (user_id, kind, address, proven_at)
select u.id, 'email', lower(u.email), u.email_confirmed_at from auth.users u
where u.email <> '' and u.email_confirmed_at is not null and (
  u.confirmation_sent_at < u.email_confirmed_at
  or exists (
    select from auth.identities i
    where i.user_id = u.id and i.email = lower(u.email) and i.identity_data -> 'email_verified' = 'true'
  )
);
insert into auth.proven_addresses (user_id, kind, address, proven_at)
select u.id, 'phone', u.phone, u.phone_confirmed_at from auth.users u
where u.phone <> '' and u.phone_confirmed_at is not null and (
  u.confirmation_sent_at < u.phone_confirmed_at
  or exists (
    select from auth.identities i
    where i.user_id = u.id and i.provider = 'phone' and i.identity_data -> 'phone_verified' = 'true'
  )
);

reset role;
