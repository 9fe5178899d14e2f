/** Sessions: sign-ins that are still valid, as rows. What is done with them is in session/. */
import { hasVerifiedFactor, type UserRow } from '../user/user.ts';

/** How sure we are who it is (NIST SP 800-63B); aal2 means that a second factor was used. */
export type AssuranceLevel = 'aal1' | 'aal2' | 'aal3';

/** One way in which the user of a session has authenticated (RFC 8176). `timestamp` is in seconds. */
export interface AuthenticationMethodReference {
  method: string;
  timestamp: number;
  /** Of single sign-on: the provider's id. Said in tokens only. */
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
  /** What its refresh tokens are derived from or signed with. */
  hmac_key: string | null;
  /** Of its youngest signed refresh token; null where its tokens are stored. */
  counter: number | null;
  /** The application that the session is for; null for the account's own sessions. */
  oauth_client_id: string | null;
  /** What that application may know, separated by blanks. */
  scopes: string | null;
  amr: AuthenticationMethodReference[] | null;
  /** The device of the passkey that opened it has verified its user. */
  user_verified: boolean;
}

/** SQL: the session `s` as JSON that is a {@link SessionRow}, or null where an outer join found none. */
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

/** Methods that prove a second factor. */
const SECOND_FACTOR_METHODS = new Set(['totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code']);

/** The level that a session's methods amount to. */
export function assuranceLevelOf(amr: readonly AuthenticationMethodReference[]): AssuranceLevel {
  return amr.some(({ method }) => SECOND_FACTOR_METHODS.has(method)) ? 'aal2' : 'aal1';
}

/**
 * Whether two factors were shown in a session: aal2, or a passkey whose device has verified its user, which is something
 * that they have and something that they know or are.
 */
export function hasShownTwoFactors(session: Pick<SessionRow, 'aal' | 'user_verified'> | undefined): boolean {
  return session !== undefined && (session.aal === 'aal2' || session.user_verified);
}

/** The level that a user can reach. */
export function reachableLevel(user: Pick<UserRow, 'factors'>): AssuranceLevel {
  return hasVerifiedFactor(user) ? 'aal2' : 'aal1';
}
