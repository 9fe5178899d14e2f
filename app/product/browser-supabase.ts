/** The official client in the browser. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { retriableImport } from '../lib/modules/retriable-import.ts';
import { readPage } from '../lib/page/page-context.tsx';

const loadClient = retriableImport(() => import('../session/browser-client.ts'));

/**
 * Returns the client of this tab, which acts for the signed-in user. Call it in event handlers and effects only. Its code is
 * loaded on first use.
 * @example const supabase = await browserSupabase<Database>();
 */
export async function browserSupabase<Database = unknown>(): Promise<SupabaseClient<Database>> {
  const { browserClient } = await loadClient();
  return browserClient(readPage().config) as unknown as SupabaseClient<Database>;
}
