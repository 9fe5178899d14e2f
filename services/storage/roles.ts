/** The role that the service logs in with. It owns the tables and functions in the schema `storage`. */
export const STORAGE_ROLE = 'supabase_storage_admin';
