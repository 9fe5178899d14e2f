/** Access to the admin area. Pure functions: the caller has verified the claims. */
import { type Claims, hasVerifiedTwoFactors } from './claims.ts';

/**
 * Role in `app_metadata` that grants access to the admin area. Only the backend's service key can assign
 * it.
 */
const ADMIN_ROLE = 'admin';

/** The field of a second factor that matters here. */
interface FactorStatus {
  status: string;
}

export function isAdmin({ app_metadata }: Pick<Claims, 'app_metadata'>): boolean {
  return app_metadata.role === ADMIN_ROLE;
}

/**
 * Returns the assurance level that a user must reach: `aal2` as soon as they have a verified second factor.
 */
export function requiredAssurance(factors: readonly FactorStatus[]): 'aal1' | 'aal2' {
  return factors.some(({ status }) => status === 'verified') ? 'aal2' : 'aal1';
}

/** Returns whether a session is below the assurance level that its user must reach. */
export function lacksAssurance(
  claims: Pick<Claims, 'aal' | 'user_verified'>,
  factors: readonly FactorStatus[],
): boolean {
  return requiredAssurance(factors) === 'aal2' && !hasVerifiedTwoFactors(claims);
}

/** Decides about access from the claims and the factors that the backend stores for the same user. */
export function checkAccess(
  claims: Pick<Claims, 'app_metadata' | 'aal' | 'user_verified'>,
  factors: readonly FactorStatus[],
): 'granted' | 'not-admin' | 'second-factor-needed' {
  if (!isAdmin(claims)) return 'not-admin';
  return lacksAssurance(claims, factors) ? 'second-factor-needed' : 'granted';
}
