/** Roles of the database that the service logs in with. */

/** Role that owns the schema `realtime`. */
export const REALTIME_ROLE = 'supabase_realtime_admin';
/** Role that switches to the roles of subscribers. */
export const AUTHENTICATOR_ROLE = 'authenticator';
