/** The names of functions, as in the Supabase CLI. Folders such as `_shared` contain code that functions share. */
export const FUNCTION_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
