-- Indexes for the removal of old rows (services/auth/retention): each batch reads only rows that are old enough.
set local role supabase_auth_admin;

create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at, id);
create index sessions_created_at_idx on auth.sessions (created_at, id);
create index refresh_tokens_revoked_updated_at_idx on auth.refresh_tokens (updated_at, id) where revoked;
-- The removal of a flow removes its relay state.
create index saml_relay_states_flow_state_id_idx on auth.saml_relay_states (flow_state_id);

reset role;
