/** The official client in the browser. Pages load this module only for people who are signed in. */
import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient, SupportedStorage, Session as TokenSession } from '@supabase/supabase-js';
import type { PageConfig } from '../lib/page/page-config.ts';
import { toClaims, toSummary } from './claims.ts';
import type { MirroredSession } from './mirror.ts';
import { retryingFetch } from './retrying-fetch.ts';
import { watchedFetch } from './watched-fetch.ts';

const SIGNED_OUT: MirroredSession = { session: null, user: null };

/** The one client of this tab. It reads and writes the same cookies as the server. */
export function browserClient(config: PageConfig): SupabaseClient {
  return createBrowserClient(config.apiUrl ?? location.origin + config.baseURL, config.anonKey, {
    cookieOptions: { ...config.cookieOptions, name: config.cookiePrefix },
    // The server takes the codes out of addresses.
    auth: { detectSessionInUrl: false, userStorage: inMemory() },
    global: { fetch: retryingFetch({ fetch: watchedFetch }) },
  });
}

/**
 * Keeps the user out of the cookies, where it would take most of their size, and out of `localStorage`, where it would
 * remain after a sign-out by the server. Without it in memory, `session.user` cannot be read: use the token's `sub`.
 */
function inMemory(): SupportedStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/**
 * Tells `onChange` the state after every auth event, whatever its name; events come from other tabs too.
 * Returns how to stop.
 */
export function followAuth(client: SupabaseClient, onChange: (state: MirroredSession) => void): () => void {
  const { data } = client.auth.onAuthStateChange((event, session) => {
    // Whether there is a session at the start, the server has just said; it also sees cookies that scripts do not.
    if (event === 'INITIAL_SESSION' && !session) return;
    // A listener must return before the client can be asked for anything.
    setTimeout(() => void toMirrored(client, session).then((state) => state && onChange(state)), 0);
  });
  return () => data.subscription.unsubscribe();
}

/** Undefined where the claims cannot be verified here: that is no sign-out, and the server judges for itself. */
async function toMirrored(
  client: SupabaseClient,
  session: TokenSession | null,
): Promise<MirroredSession | undefined> {
  if (!session) return SIGNED_OUT;
  const { data } = await client.auth.getClaims(session.access_token).catch(() => ({ data: null }));
  const user = data ? toClaims(data.claims) : undefined;
  return user && { session: toSummary(session), user };
}
