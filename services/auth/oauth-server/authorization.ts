/** Requests of applications to sign somebody in: as rows, and what is answered to the application. */
import { hash, randomBytes } from 'node:crypto';
import type { OAuthErrorCode } from '../http/oauth-error.ts';
import { redirectUrl } from '../redirect/target.ts';
import type { AuthConfig } from '../settings/settings.ts';

const RANDOM_BYTES = 32;
/** RFC 6749 §4.1.2: codes live for ten minutes at most. */
const MAX_CODE_LIFETIME_MS = 600_000;

/**
 * A row of `auth.oauth_authorizations`. Its `id` becomes that of the session, so that one code cannot open two, and a
 * code that comes again leads to what it gave. A code that was used is `expired`.
 */
export interface AuthorizationRow {
  id: string;
  authorization_id: string;
  client_id: string;
  /** Whoever has opened the request first. */
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

/** SQL: the columns of {@link AuthorizationRow} for the request `a`. */
export const authorizationColumns = `a.id, a.authorization_id, a.client_id, a.user_id, a.redirect_uri, a.scope, a.state,
  a.resource, a.code_challenge, a.code_challenge_method, a.status, a.nonce, a.expires_at`;

/** The public name of a request, or a code: 256 random bits. */
export function randomTicket(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** What is stored of a code. */
export function hashCode(code: string): string {
  return hash('sha256', code, 'hex');
}

/** Until when a code can be exchanged that is given out now. */
export function codeExpiry({ oauthServer }: Pick<AuthConfig, 'oauthServer'>, now: Date): Date {
  return new Date(now.getTime() + Math.min(oauthServer.authorizationLifetimeMs, MAX_CODE_LIFETIME_MS));
}

/** Where an answer goes. `state` is what the application wants to have back. */
type AnswerTarget = Pick<AuthorizationRow, 'redirect_uri' | 'state'>;

/** The address at which the application gets its code (RFC 6749 §4.1.2, RFC 9207). */
export function codeUrl({ jwt }: Pick<AuthConfig, 'jwt'>, target: AnswerTarget, code: string): string {
  return redirectUrl(target.redirect_uri, { query: { code, ...stateOf(target), iss: jwt.issuer } });
}

/** The address at which the application gets to know why not (RFC 6749 §4.1.2.1, RFC 9207). */
export function errorUrl(
  { jwt }: Pick<AuthConfig, 'jwt'>,
  target: AnswerTarget,
  { error, description }: { error: OAuthErrorCode; description: string },
): string {
  const query = { error, error_description: description, ...stateOf(target), iss: jwt.issuer };
  return redirectUrl(target.redirect_uri, { query });
}

function stateOf({ state }: AnswerTarget): Record<string, string> {
  return state ? { state } : {};
}
