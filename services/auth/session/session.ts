/** Rows of `auth.sessions` and their assurance level. */
import { hasVerifiedFactor, type UserRow } from '../user/user.ts';

/** Authenticator assurance level (NIST SP 800-63B); aal2 means that a second factor was used. */
export type AssuranceLevel = 'aal1' | 'aal2' | 'aal3';

/** An authentication method used in a session (RFC 8176). `timestamp` is in seconds since the epoch. */
export interface AuthenticationMethodReference {
  method: string;
  timestamp: number;
  /** Id of the SSO provider. Present in tokens only. */
  provider?: string;
}

/** A row of `auth.sessions`, read as JSON: times are text. `amr` is newest first. */
export interface SessionRow {
  id: string;
  created_at: string;
  aal: AssuranceLevel | null;
  not_after: string | null;
  refreshed_at: string | null;
  tag: string | null;
  /** The key from which stored tokens are derived or with which signed tokens are signed. */
  hmac_key: string | null;
  /** Counter of the newest signed refresh token; null for sessions with stored tokens. */
  counter: number | null;
  /** The OAuth application that the session is for; null for the account's own sessions. */
  oauth_client_id: string | null;
  /** Granted scopes of that application, separated by spaces. */
  scopes: string | null;
  amr: AuthenticationMethodReference[] | null;
  /** Whether the session was opened with a passkey whose device verified its user. */
  user_verified: boolean;
}

/** SQL: session `s` as JSON in the shape of {@link SessionRow}; null if an outer join matched no session. */
export const sessionAsJson = `case when s.id is not null then json_build_object(
    'id', s.id, 'created_at', s.created_at, 'aal', s.aal, 'not_after', s.not_after,
    'refreshed_at', s.refreshed_at at time zone 'utc', 'tag', s.tag, 'hmac_key', s.refresh_token_hmac_key,
    'counter', s.refresh_token_counter,
    'oauth_client_id', s.oauth_client_id, 'scopes', s.scopes, 'user_verified', s.user_verified,
    'amr', (
      select json_agg(
        json_build_object(
          'method', m.authentication_method, 'timestamp', floor(extract(epoch from m.updated_at))
        ) order by m.updated_at desc)
      from auth.mfa_amr_claims m where m.session_id = s.id
    )
  ) end`;

const SECOND_FACTOR_METHODS = new Set(['totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code']);

/** Method of a session that an administrator has opened to use the site as the user. */
export const IMPERSONATION = 'impersonation';

/** Returns whether an administrator has opened the session to use the site as the user. */
export function isImpersonation(session: Pick<SessionRow, 'amr'> | undefined): boolean {
  return session?.amr?.some(({ method }) => method === IMPERSONATION) ?? false;
}

/** Returns the assurance level of a session's methods. */
export function assuranceLevelOf(amr: readonly AuthenticationMethodReference[]): AssuranceLevel {
  return amr.some(({ method }) => SECOND_FACTOR_METHODS.has(method)) ? 'aal2' : 'aal1';
}

/**
 * Whether the user has used two factors in a session: aal2, or a passkey whose device verified its user, which
 * combines possession with knowledge or biometrics.
 */
export function hasUsedTwoFactors(session: Pick<SessionRow, 'aal' | 'user_verified'> | undefined): boolean {
  return session !== undefined && (session.aal === 'aal2' || session.user_verified);
}

/** Returns the highest level that the user's factors allow. */
export function reachableLevel(user: Pick<UserRow, 'factors'>): AssuranceLevel {
  return hasVerifiedFactor(user) ? 'aal2' : 'aal1';
}
