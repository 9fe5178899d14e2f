/** Authorization requests of applications, as rows, and the redirects that respond to them. */
import { hash, randomBytes } from 'node:crypto';
import type { OAuthErrorCode } from '../http/oauth-error.ts';
import { redirectUrl } from '../redirect/target.ts';
import type { AuthConfig } from '../settings/settings.ts';

const RANDOM_BYTES = 32;
/** RFC 6749 §4.1.2 recommends a maximum code lifetime of ten minutes. */
const MAX_CODE_LIFETIME_MS = 600_000;

/**
 * A row of `auth.oauth_authorizations`. Its `id` becomes the id of the session, so one code cannot open two
 * sessions and a reused code identifies the session it opened. The status of a used code is `expired`.
 */
export interface AuthorizationRow {
  id: string;
  authorization_id: string;
  client_id: string;
  /** The user who opened the request first. */
  user_id: string | null;
  redirect_uri: string;
  scope: string;
  state: string | null;
  resource: string | null;
  code_challenge: string;
  code_challenge_method: 's256' | 'plain';
  status: 'pending' | 'approved' | 'denied' | 'expired';
  nonce: string | null;
  expires_at: Date;
}

/** SQL: the columns of {@link AuthorizationRow} for request `a`. */
export const authorizationColumns = `a.id, a.authorization_id, a.client_id, a.user_id, a.redirect_uri, a.scope, a.state,
  a.resource, a.code_challenge, a.code_challenge_method, a.status, a.nonce, a.expires_at`;

/** Returns 256 random bits, for the public id of a request or for a code. */
export function randomToken(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Returns the hash under which a code is stored. */
export function hashCode(code: string): string {
  return hash('sha256', code, 'hex');
}

/** Returns the expiry of a code issued now. */
export function codeExpiry({ oauthServer }: Pick<AuthConfig, 'oauthServer'>, now: Date): Date {
  return new Date(now.getTime() + Math.min(oauthServer.authorizationLifetimeMs, MAX_CODE_LIFETIME_MS));
}

/** Redirect URI, and the state that the application wants returned. */
type RedirectTarget = Pick<AuthorizationRow, 'redirect_uri' | 'state'>;

/** Returns the URL that passes the code to the application (RFC 6749 §4.1.2, RFC 9207). */
export function codeUrl({ jwt }: Pick<AuthConfig, 'jwt'>, target: RedirectTarget, code: string): string {
  return redirectUrl(target.redirect_uri, { query: { code, ...stateOf(target), iss: jwt.issuer } });
}

/** Returns the URL that reports an error to the application (RFC 6749 §4.1.2.1, RFC 9207). */
export function errorUrl(
  { jwt }: Pick<AuthConfig, 'jwt'>,
  target: RedirectTarget,
  { error, description }: { error: OAuthErrorCode; description: string },
): string {
  const query = { error, error_description: description, ...stateOf(target), iss: jwt.issuer };
  return redirectUrl(target.redirect_uri, { query });
}

function stateOf({ state }: RedirectTarget): Record<string, string> {
  return state ? { state } : {};
}
