/** Database roles that the service connects as. */

/** Role that owns the tables and functions in the schema `auth`. */
export const AUTH_ROLE = 'supabase_auth_admin';
