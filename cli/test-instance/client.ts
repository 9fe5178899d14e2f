/** The official client, as tests use it. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

/** The database of a client without types, whose tables and columns are not checked. */
export type UntypedDatabase = SupabaseClient extends SupabaseClient<infer Database> ? Database : never;

/** Creates a client that stores no session and starts no timer, so that a test process can end. */
export function createTestClient<Database>(url: string, key: string): SupabaseClient<Database> {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
}
