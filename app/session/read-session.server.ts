/**
 * Reads the session of a request from its cookies and verifies it. A visitor with broken, forged or expired
 * cookies has no session, and the cookies are deleted; only an unavailable backend is an error.
 */
import { hash } from 'node:crypto';
import type { AuthError, SupabaseClient } from '@supabase/supabase-js';
import { LRUCache } from 'lru-cache';
import { sessionCookieNames } from './auth-cookies.ts';
import { isBackendFailure } from './backend-failure.ts';
import { type Claims, type SessionSummary, toClaims, toSummary } from './claims.ts';
import type { CookieJar } from './cookie-jar.server.ts';
import { backendUnreachable } from './page-errors.ts';
import type { SessionTokens } from './session-cookie.server.ts';

/** A session whose token was verified. */
export interface Session {
  summary: SessionSummary;
  claims: Claims;
}

/** The dependencies of {@link readSession}; the clients are created only if they are needed. */
interface SessionSource {
  jar: CookieJar;
  cookiePrefix: string;
  /** Returns a client with the visitor's cookies, to refresh the session. */
  forVisitor(): Promise<SupabaseClient>;
  /** Returns a client that verifies tokens; it caches the backend's keys. */
  forVerification(): Promise<SupabaseClient>;
}

/** A session is refreshed this long before it expires, as in the official client. */
const REFRESH_MARGIN_SECONDS = 90;
/** The official client retries a refresh for up to 30 s; a page does not wait that long. */
const TIMEOUT_MS = 5_000;

/** Claims of verified tokens, by hash of the token, until they expire. */
const verifiedClaims = new LRUCache<string, Claims>({ max: 10_000 });

/**
 * Returns the verified session, or undefined. Refreshes a session that is about to expire, so that its new
 * cookies are in the jar before the response starts. Throws a 503 error response if the backend is needed
 * and does not respond.
 */
export async function readSession(source: SessionSource): Promise<Session | undefined> {
  const { jar, cookiePrefix } = source;
  // Most visitors of the sign-in page have no session; skip loading the modules for them.
  if (sessionCookieNames(jar.names(), cookiePrefix).length === 0) return undefined;
  const session = await findSession(source);
  if (!session) for (const name of sessionCookieNames(jar.names(), cookiePrefix)) jar.clear(name);
  return session;
}

async function findSession(source: SessionSource): Promise<Session | undefined> {
  const { readSessionTokens } = await import('./session-cookie.server.ts');
  const sent = await readSessionTokens(source.jar, source.cookiePrefix);
  const tokens = sent && isNearEnd(sent) ? await refresh(source) : sent;
  const claims = tokens && (await verify(tokens.access_token, source));
  return claims && { summary: toSummary(tokens), claims };
}

function isNearEnd({ expires_at }: SessionTokens): boolean {
  return expires_at - Date.now() / 1000 < REFRESH_MARGIN_SECONDS;
}

async function refresh(source: SessionSource): Promise<SessionTokens | undefined> {
  const client = await source.forVisitor();
  const { data: found, error } = await withTimeout(client.auth.getSession().catch(ignoreMalformedToken));
  if (error) return rejectFailure(error);
  const session = found?.session;
  return session?.expires_at === undefined ? undefined : { ...session, expires_at: session.expires_at };
}

async function verify(token: string, source: SessionSource): Promise<Claims | undefined> {
  const key = hash('sha256', token, 'base64');
  const known = verifiedClaims.get(key);
  if (known) return known;
  const client = await source.forVerification();
  const { data: found, error } = await withTimeout(client.auth.getClaims(token).catch(ignoreMalformedToken));
  if (error) return rejectFailure(error);
  const claims = found ? toClaims(found.claims) : undefined;
  if (claims) verifiedClaims.set(key, claims, { ttl: Math.max(1, claims.exp * 1000 - Date.now()) });
  return claims;
}

/** The official client throws if a token's header is malformed; a visitor may send any bytes. */
function ignoreMalformedToken() {
  return { data: null, error: null };
}

function rejectFailure(error: AuthError): undefined {
  if (isBackendFailure(error)) throw backendUnreachable();
  return undefined;
}

async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(backendUnreachable()), TIMEOUT_MS);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
