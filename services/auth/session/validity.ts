/**
 * When a session is over although its row is there. Checked at refresh, and for admins' tokens; never before.
 */
import type { AuthConfig } from '../settings/settings.ts';
import type { AssuranceLevel, SessionRow } from './session.ts';

type Limits = Pick<AuthConfig['sessions'], 'timeboxMs' | 'inactivityTimeoutMs' | 'allowLowAalMs'>;

/** Why a session is over, as the error message says it. */
type Expiry =
  | 'Session Expired'
  | 'Session Expired (Inactivity)'
  | 'Session Expired (Low AAL: User Needs MFA Verification)';

/** What the answer depends on. */
interface ValidityContext {
  now: Date;
  /** The level that the session's user can reach. */
  reachable: AssuranceLevel;
  /** When the refresh token at hand was changed last; stands in for a session that was never refreshed. */
  tokenChangedAt?: Date | undefined;
}

/** Says why a session is over, or undefined while it is valid. */
export function expiryOf(session: SessionRow, limits: Limits, context: ValidityContext): Expiry | undefined {
  const { now, reachable } = context;
  const created = Date.parse(session.created_at);
  const isPast = (since: number, ms: number | undefined) => ms !== undefined && now.getTime() > since + ms;
  if (session.not_after !== null && now.getTime() > Date.parse(session.not_after)) return 'Session Expired';
  if (isPast(created, limits.timeboxMs)) return 'Session Expired';
  if (isPast(lastRefreshMs(session, context.tokenChangedAt), limits.inactivityTimeoutMs)) {
    return 'Session Expired (Inactivity)';
  }
  if ((session.aal ?? 'aal1') < reachable && isPast(created, limits.allowLowAalMs)) {
    return 'Session Expired (Low AAL: User Needs MFA Verification)';
  }
  return undefined;
}

/** When a session was used last, in milliseconds since the epoch. */
export function lastRefreshMs(session: SessionRow, tokenChangedAt?: Date): number {
  if (session.refreshed_at !== null) return Date.parse(session.refreshed_at);
  return Math.max(Date.parse(session.created_at), tokenChangedAt?.getTime() ?? 0);
}

/**
 * The tag under which a session is counted where only one per user is allowed; unknown tags count as the
 * first.
 */
export function effectiveTag(tag: string | null, known: readonly string[]): string {
  return tag !== null && known.includes(tag) ? tag : (known[0] ?? '');
}
