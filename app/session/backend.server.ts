/** The official clients that the app's server uses to call the backend. Each is created on first use. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PageOptions } from '../lib/page/page-options.ts';
import { isVerifierName, sessionCookieNames } from './auth-cookies.ts';
import { type AuthFeatures, createFeatureReader } from './auth-features.server.ts';
import type { CookieJar, RequestCookie } from './cookie-jar.server.ts';
import { createMetaClient, type MetaClient } from './meta-client.server.ts';
import { createOperatorClient, type OperatorClient } from './operator-client.server.ts';
import type { Visit } from './page-build.ts';
import { retryingFetch } from './retrying-fetch.ts';

/** Clients of one backend. */
export interface Backend {
  /** Returns a client that acts for the visitor, with the session in the visitor's cookies. */
  forVisitor(jar: CookieJar, visit: Visit, userAgent: string | null): Promise<SupabaseClient>;
  /** Returns a client of the data and the files that acts with an access token. Its `auth` cannot be used. */
  withToken(accessToken: string, visit: Visit, userAgent: string | null): Promise<SupabaseClient>;
  /**
   * Returns a client without a session, shared by all visitors. It verifies tokens with keys that it
   * fetches once.
   */
  forVerification(): Promise<SupabaseClient>;
  /** Returns a client with the service key, for the admin area; undefined if the server has none. */
  forAdministration(): Promise<SupabaseClient | undefined>;
  /** Returns the enabled features; all are off until the backend has answered for the first time. */
  features(): Promise<AuthFeatures>;
  /**
   * Calls an endpoint of the auth service that the official client does not cover. Rejects without a
   * response.
   */
  callAuth(path: string, call: AuthCall): Promise<Response>;
  /** Calls an endpoint with the service key, for the admin area; undefined if the server has none. `body` is sent as JSON. */
  callAdmin(
    path: string,
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE',
    body?: unknown,
  ): Promise<Response> | undefined;
  /** Requests the state of the backend. Rejects without a response. */
  callHealth(): Promise<Response>;
  /** SQL and the audit log; undefined if the backend is hosted elsewhere. */
  meta: MetaClient | undefined;
  /** The instance itself, such as its log; undefined if the backend is hosted elsewhere. */
  operator: OperatorClient | undefined;
}

/** A call for a visitor. `body` is sent as JSON. */
export interface AuthCall {
  method?: 'GET' | 'POST' | 'DELETE';
  accessToken: string;
  body?: unknown;
  visit: Visit;
  userAgent: string | null;
}

const CALL_TIMEOUT_MS = 10_000;

/** Creates the clients of one backend. */
export function createBackend(options: PageOptions, cookiePrefix: string): Backend {
  const send = options.fetch ?? globalThis.fetch;
  const fetch = retryingFetch({
    fetch: send,
    onGiveUp: ({ error, ...request }) =>
      options.log.warn({ err: error, request }, 'the backend does not respond'),
  });
  let administration: Promise<SupabaseClient> | undefined;
  let verification: Promise<SupabaseClient> | undefined;
  const authUrl = `${options.apiUrl}/auth/v1`;
  return {
    features: createFeatureReader(async (signal) => {
      const response = await send(`${authUrl}/settings`, {
        headers: { apikey: options.anonKey },
        signal,
      });
      if (!response.ok) throw new Error(`GET /settings: ${response.status}`);
      return response.json();
    }),
    callAuth: (path, { method = 'GET', accessToken, body, visit, userAgent }) =>
      fetch(authUrl + path, {
        method,
        headers: {
          ...options.visitorHeaders,
          ...visitorHeaders(visit, userAgent),
          apikey: options.anonKey,
          authorization: `Bearer ${accessToken}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      }),
    callAdmin(path, method = 'GET', body) {
      const key = options.serviceRoleKey;
      if (key === undefined) return undefined;
      return fetch(authUrl + path, {
        method,
        headers: {
          apikey: key,
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
    },
    meta:
      options.hasMeta && options.serviceRoleKey !== undefined
        ? createMetaClient({ url: `${options.apiUrl}/pg`, key: options.serviceRoleKey, fetch: send })
        : undefined,
    operator:
      options.hasOperator && options.serviceRoleKey !== undefined
        ? createOperatorClient({
            url: `${options.apiUrl}/operator/v1`,
            key: options.serviceRoleKey,
            fetch: send,
          })
        : undefined,
    callHealth: () => send(`${options.apiUrl}/health`, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }),
    async forVisitor(jar, visit, userAgent) {
      const { createServerClient } = await import('@supabase/ssr');
      return createServerClient(options.apiUrl, options.anonKey, {
        cookieOptions: { name: cookiePrefix, secure: visit.isHttps },
        cookies: {
          getAll: () => jar.getAll(),
          setAll: (cookies) => {
            for (const { name, value, options } of cookies) jar.set(name, value, options);
            dropUnusedVerifiers(jar, cookiePrefix, cookies);
          },
          // If the cookies contained the user, the headers of a sign-up would exceed nginx's default buffer
          // of 4 KB.
          encode: 'tokens-only',
        },
        global: { fetch, headers: { ...options.visitorHeaders, ...visitorHeaders(visit, userAgent) } },
      });
    },
    async withToken(accessToken, visit, userAgent) {
      const { createClient } = await import('@supabase/supabase-js');
      return createClient(options.apiUrl, options.anonKey, {
        accessToken: async () => accessToken,
        global: { fetch, headers: { ...options.visitorHeaders, ...visitorHeaders(visit, userAgent) } },
      });
    },
    forVerification() {
      verification ??= createStateless(options.apiUrl, options.anonKey, fetch);
      return verification;
    },
    async forAdministration() {
      if (options.serviceRoleKey === undefined) return undefined;
      administration ??= createStateless(options.apiUrl, options.serviceRoleKey, fetch);
      return administration;
    },
  };
}

/**
 * The official client writes PKCE verifiers before each sign-up. A response with a session needs none of
 * them; verifiers from the request belong to another flow and are kept.
 */
function dropUnusedVerifiers(jar: CookieJar, cookiePrefix: string, written: readonly RequestCookie[]): void {
  const names = sessionCookieNames(
    written.filter(({ value }) => value !== '').map(({ name }) => name),
    cookiePrefix,
  );
  if (names.length === 0) return;
  for (const name of jar.names()) if (isVerifierName(name, cookiePrefix)) jar.revert(name);
}

/**
 * Forwards the visitor's address and user agent: rate limits and the list of devices apply to the visitor,
 * not to this server.
 */
function visitorHeaders({ clientAddress }: Visit, userAgent: string | null): Record<string, string> {
  return { 'x-forwarded-for': clientAddress, ...(userAgent !== null && { 'user-agent': userAgent }) };
}

async function createStateless(apiUrl: string, key: string, send: typeof fetch): Promise<SupabaseClient> {
  const { createClient } = await import('@supabase/supabase-js');
  return createClient(apiUrl, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: send },
  });
}
