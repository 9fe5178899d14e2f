/**
 * Decides whether a user who signed in with one factor must verify a second one. The factors are not in the
 * token, and cookies can be forged, so the backend is asked. Tokens that need no second factor are cached.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { LRUCache } from 'lru-cache';
import { type Claims, hasVerifiedTwoFactors, isImpersonated } from './claims.ts';
import { backendUnreachable } from './page-errors.ts';

/** `gone`: the session or its user no longer exists. */
type SecondStep = 'not-needed' | 'needed' | 'gone';

/**
 * A user who adds a factor elsewhere is signed out in this browser; tokens in use are checked again after
 * this time nevertheless.
 */
const TRUSTED_FOR_MS = 600_000;
/** Cached tokens that need no second factor. */
const exemptTokens = new LRUCache<string, true>({ max: 10_000, ttl: TRUSTED_FOR_MS });

/** Throws a 503 error response if the backend gives no usable response, so that access is denied. */
export async function findSecondStep(
  claims: Claims,
  forVisitor: () => Promise<SupabaseClient>,
): Promise<SecondStep> {
  if (hasVerifiedTwoFactors(claims)) return 'not-needed';
  const key = `${claims.sub} ${claims.session_id} ${claims.exp}`;
  if (exemptTokens.has(key)) return 'not-needed';
  const { auth } = await forVisitor();
  const { data: found, error } = await auth.getUser();
  if (error && !isNotFound(error)) throw backendUnreachable();
  if (!found.user) return 'gone';
  // An administrator does not have the factors of the user, and cannot change the account.
  const hasFactor = found.user.factors?.some(({ status }) => status === 'verified') ?? false;
  if (hasFactor && !isImpersonated(claims)) return 'needed';
  exemptTokens.set(key, true, { ttl: Math.max(1, Math.min(TRUSTED_FOR_MS, claims.exp * 1000 - Date.now())) });
  return 'not-needed';
}

/** The backend rejected the session itself, not the rate of requests. */
function isNotFound({ status }: { status?: number | undefined }): boolean {
  return status === 400 || status === 401 || status === 403 || status === 404;
}
