/** The PostgreSQL roles that the service connects as. */

/** The role that owns the tables and functions in the schema `realtime`. */
export const REALTIME_ROLE = 'supabase_realtime_admin';
/** The role that can switch to the roles of subscribers. */
export const AUTHENTICATOR_ROLE = 'authenticator';
