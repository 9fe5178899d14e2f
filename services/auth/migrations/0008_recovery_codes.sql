-- Recovery codes, which stand in for a second factor that is lost. The hosted service has none of this.
set local role supabase_auth_admin;

create table auth.recovery_codes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Keyed hashes of the codes that were not used yet.
  code_hashes text[] not null,
  created_at timestamptz not null,
  -- Wrong codes: the level of a leaky bucket at `failed_at`.
  failures double precision not null default 0,
  failed_at timestamptz
);
alter table auth.recovery_codes enable row level security;

comment on table auth.recovery_codes is 'Hashes of single-use codes that stand in for a lost second factor; one row a user.';

-- They go with the last verified factor, whoever removes it.
create function auth.remove_recovery_codes() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.recovery_codes c using removed r
  where c.user_id = r.user_id and not exists (
    select from auth.mfa_factors f where f.user_id = r.user_id and f.status = 'verified'
  );
  return null;
end $$;
revoke execute on function auth.remove_recovery_codes from public;
create trigger remove_recovery_codes after delete on auth.mfa_factors
  referencing old table as removed for each statement execute function auth.remove_recovery_codes();

-- Whether the device of the passkey that opened a session has verified its user (WebAuthn: flag UV), by a PIN or a
-- fingerprint: that is two factors in one.
alter table auth.sessions add column user_verified boolean not null default false;

reset role;
