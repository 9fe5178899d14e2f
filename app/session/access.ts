/** Who may enter the admin area. Pure: who the person is was verified elsewhere. */
import { type Claims, hasShownTwoFactors } from './claims.ts';

/** Role in `app_metadata` that opens the admin area. Only the backend's service key can give it. */
const ADMIN_ROLE = 'admin';

/** A second factor, as far as it matters here. */
interface FactorStatus {
  status: string;
}

/** Tells whether claims carry the role. */
export function isAdmin({ app_metadata }: Pick<Claims, 'app_metadata'>): boolean {
  return app_metadata.role === ADMIN_ROLE;
}

/** The assurance level a person must show: their second factor, once they have a verified one. */
export function requiredAssurance(factors: readonly FactorStatus[]): 'aal1' | 'aal2' {
  return factors.some(({ status }) => status === 'verified') ? 'aal2' : 'aal1';
}

/** Whether a session is below the level that its person must show. */
export function lacksAssurance(
  claims: Pick<Claims, 'aal' | 'user_verified'>,
  factors: readonly FactorStatus[],
): boolean {
  return requiredAssurance(factors) === 'aal2' && !hasShownTwoFactors(claims);
}

/** Judges claims together with the factors that the backend knows of the same person. */
export function judgeAccess(
  claims: Pick<Claims, 'app_metadata' | 'aal' | 'user_verified'>,
  factors: readonly FactorStatus[],
): 'granted' | 'not-admin' | 'second-factor-needed' {
  if (!isAdmin(claims)) return 'not-admin';
  return lacksAssurance(claims, factors) ? 'second-factor-needed' : 'granted';
}
