/** Rules for the expiry of sessions. Checked on refresh and for admins' tokens only. */
import type { AuthConfig } from '../settings/settings.ts';
import type { AssuranceLevel, SessionRow } from './session.ts';

type Limits = Pick<AuthConfig['sessions'], 'timeboxMs' | 'inactivityTimeoutMs' | 'allowLowAalMs'>;

/** Why a session has expired, as worded in error messages. */
type Expiry =
  | 'Session Expired'
  | 'Session Expired (Inactivity)'
  | 'Session Expired (Low AAL: User Needs MFA Verification)';

interface ValidityContext {
  now: Date;
  /** The highest assurance level that the session's user can reach. */
  reachable: AssuranceLevel;
  /** When the presented refresh token was last changed; used for sessions that were never refreshed. */
  tokenChangedAt?: Date | undefined;
}

/** Returns why a session has expired, or undefined while it is valid. */
export function expiryOf(session: SessionRow, limits: Limits, context: ValidityContext): Expiry | undefined {
  const { now, reachable } = context;
  const created = Date.parse(session.created_at);
  const hasElapsed = (since: number, ms: number | undefined) =>
    ms !== undefined && now.getTime() > since + ms;
  if (session.not_after !== null && now.getTime() > Date.parse(session.not_after)) return 'Session Expired';
  if (hasElapsed(created, limits.timeboxMs)) return 'Session Expired';
  if (hasElapsed(lastRefreshMs(session, context.tokenChangedAt), limits.inactivityTimeoutMs)) {
    return 'Session Expired (Inactivity)';
  }
  if ((session.aal ?? 'aal1') < reachable && hasElapsed(created, limits.allowLowAalMs)) {
    return 'Session Expired (Low AAL: User Needs MFA Verification)';
  }
  return undefined;
}

/** Returns when a session was last used, in milliseconds since the epoch. */
export function lastRefreshMs(session: SessionRow, tokenChangedAt?: Date): number {
  if (session.refreshed_at !== null) return Date.parse(session.refreshed_at);
  return Math.max(Date.parse(session.created_at), tokenChangedAt?.getTime() ?? 0);
}

/** Returns the tag that limits a user to one session each. Unknown and missing tags count as the first known tag. */
export function effectiveTag(tag: string | null, known: readonly string[]): string {
  return tag !== null && known.includes(tag) ? tag : (known[0] ?? '');
}
