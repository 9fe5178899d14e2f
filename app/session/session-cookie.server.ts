/** Reads the tokens of a session from its cookies. They come from the visitor and are not verified here. */
import { combineChunks } from '@supabase/ssr';
import type { CookieJar } from './cookie-jar.server.ts';

/** The fields of a session that are needed to verify, refresh or summarize it. */
export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  /** Seconds since 1970. */
  expires_at: number;
  expires_in?: unknown;
  token_type?: unknown;
}

const ENCODED = 'base64-';

/** Returns undefined if the cookies are missing, incomplete or garbled, or contain something else. */
export async function readSessionTokens(
  jar: CookieJar,
  cookiePrefix: string,
): Promise<SessionTokens | undefined> {
  const text = await combineChunks(cookiePrefix, (name) => jar.get(name));
  if (!text) return undefined;
  try {
    const session: unknown = JSON.parse(
      text.startsWith(ENCODED) ? Buffer.from(text.slice(ENCODED.length), 'base64url').toString() : text,
    );
    return isTokens(session) ? session : undefined;
  } catch {
    return undefined;
  }
}

function isTokens(value: unknown): value is SessionTokens {
  if (typeof value !== 'object' || value === null) return false;
  const { access_token, refresh_token, expires_at } = value as Record<string, unknown>;
  return typeof access_token === 'string' && typeof refresh_token === 'string' && Number.isFinite(expires_at);
}
