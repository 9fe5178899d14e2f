-- What identity providers have said, by hash, until it is too old to be believed: nothing is believed twice. The hosted
-- service has no such table.
set local role supabase_auth_admin;

create table auth.saml_assertions (
  assertion_hash text primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  expires_at timestamptz not null,
  flow_state_id uuid unique references auth.flow_state (id) on delete set null,
  session_not_after timestamptz
);
create index saml_assertions_sso_provider_id_idx on auth.saml_assertions (sso_provider_id);
create index saml_assertions_expires_at_idx on auth.saml_assertions (expires_at);
comment on table auth.saml_assertions is 'SAML 2.0 assertions that were used.';

alter table auth.saml_assertions enable row level security;
grant all on auth.saml_assertions to dashboard_user;

reset role;
