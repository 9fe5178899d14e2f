/** Roles of the database that the service logs in with. */

/** Role that owns the schema `storage`. */
export const STORAGE_ROLE = 'supabase_storage_admin';
