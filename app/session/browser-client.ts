/** The official client in the browser. Pages load this module only for signed-in users. */
import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient, SupportedStorage, Session as TokenSession } from '@supabase/supabase-js';
import type { PageConfig } from '../lib/page/page-config.ts';
import { toClaims, toSummary } from './claims.ts';
import type { ClientSession } from './client-session.ts';
import { observableFetch } from './observable-fetch.ts';
import { retryingFetch } from './retrying-fetch.ts';

const SIGNED_OUT: ClientSession = { session: null, user: null };

/** Returns the client of this tab. It reads and writes the same cookies as the server. */
export function browserClient(config: PageConfig): SupabaseClient {
  return createBrowserClient(config.apiUrl ?? location.origin + config.baseURL, config.anonKey, {
    cookieOptions: { ...config.cookieOptions, name: config.cookiePrefix },
    // The server exchanges the codes in URLs.
    auth: { detectSessionInUrl: false, userStorage: inMemory() },
    global: { fetch: retryingFetch({ fetch: observableFetch }) },
  });
}

/** Waits until the client of this tab has started: a session that has expired is replaced by its refreshed one. */
export async function clientStarted(config: PageConfig): Promise<void> {
  await browserClient(config).auth.initialize();
}

/** The client requests a user that it does not have, and then writes the session that it has read before into the cookies again. */
const WITHOUT_FIELDS = JSON.stringify({ user: {} });

/**
 * Keeps the user in memory. In the cookies it would take most of their size, and in `localStorage` it would
 * remain after the server signs the user out. `session.user` has no fields at first: use the token's `sub`.
 */
function inMemory(): SupportedStorage {
  const items = new Map<string, string>();
  return {
    // A session that the server has set meanwhile, for example one with another role, would be lost.
    getItem: (key) => items.get(key) ?? WITHOUT_FIELDS,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/**
 * Calls `onChange` with the state after every auth event, regardless of its name; events of other tabs
 * arrive, too. Returns a function that unsubscribes.
 */
export function followAuth(client: SupabaseClient, onChange: (state: ClientSession) => void): () => void {
  const { data } = client.auth.onAuthStateChange((event, session) => {
    // The server has just reported whether there is a session; it also sees cookies that scripts cannot
    // read.
    if (event === 'INITIAL_SESSION' && !session) return;
    // The client is locked until its listeners return, so it must not be called before.
    setTimeout(() => void toClientSession(client, session).then((state) => state && onChange(state)), 0);
  });
  return () => data.subscription.unsubscribe();
}

/**
 * Returns undefined if the claims cannot be verified here. That is no sign-out: the server decides
 * independently.
 */
async function toClientSession(
  client: SupabaseClient,
  session: TokenSession | null,
): Promise<ClientSession | undefined> {
  if (!session) return SIGNED_OUT;
  const { data } = await client.auth.getClaims(session.access_token).catch(() => ({ data: null }));
  const user = data ? toClaims(data.claims) : undefined;
  return user && { session: toSummary(session), user };
}
