/** Names of roles that belong to the platform or to extensions. */
export const RESERVED_ROLE =
  /^(?:anon|authenticated|authenticator|cli_login_.*|dashboard_user|greenroom.*|pgbouncer|postgres|service_role|supabase_.*|pgsodium_key(?:holder|iduser|maker)|pgtle_admin|pg_.*)$/;
