/** Roles of the database that the service logs in with. */

/** Role that owns the schema `auth`. */
export const AUTH_ROLE = 'supabase_auth_admin';
