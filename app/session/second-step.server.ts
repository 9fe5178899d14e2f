/**
 * Whether somebody who came in by one step must show a second one. Their factors are not in the token, and a cookie
 * can say anything: the backend is asked, once for each token that has no second step to wait for.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { LRUCache } from 'lru-cache';
import { type Claims, hasShownTwoFactors } from './claims.ts';
import { backendUnreachable } from './page-errors.ts';

/** `gone`: the backend knows the session or its owner no more. */
type SecondStep = 'not-needed' | 'needed' | 'gone';

/** Whoever gets a factor elsewhere is signed out here; a token in use is asked about again all the same. */
const TRUSTED_FOR_MS = 600_000;
/** Tokens that need no second step. */
const free = new LRUCache<string, true>({ max: 10_000, ttl: TRUSTED_FOR_MS });

/** Throws a 503 error response where the backend gives no answer to go by: then nobody gets past. */
export async function findSecondStep(
  claims: Claims,
  forVisitor: () => Promise<SupabaseClient>,
): Promise<SecondStep> {
  if (hasShownTwoFactors(claims)) return 'not-needed';
  const key = `${claims.sub} ${claims.session_id} ${claims.exp}`;
  if (free.has(key)) return 'not-needed';
  const { auth } = await forVisitor();
  const { data: found, error } = await auth.getUser();
  if (error && !isGone(error)) throw backendUnreachable();
  if (!found.user) return 'gone';
  if (found.user.factors?.some(({ status }) => status === 'verified')) return 'needed';
  free.set(key, true, { ttl: Math.max(1, Math.min(TRUSTED_FOR_MS, claims.exp * 1000 - Date.now())) });
  return 'not-needed';
}

/** Refused for who they are, not for how often they ask. */
function isGone({ status }: { status?: number | undefined }): boolean {
  return status === 400 || status === 401 || status === 403 || status === 404;
}
