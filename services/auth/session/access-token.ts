/** Builds the claims of access tokens (JWTs). `context.keys` signs them. */
import type { AuthConfig } from '../settings/settings.ts';
import type { Metadata } from '../user/metadata.ts';
import { ssoProviderOf, type UserRow } from '../user/user.ts';
import { type AuthenticationMethodReference, assuranceLevelOf, reachableLevel } from './session.ts';

/** The claims that every service reads. Times are in seconds since the epoch; `nbf` and `jti` are not set. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string;
  exp: number;
  iat: number;
  email: string;
  phone: string;
  app_metadata: Metadata;
  user_metadata: Metadata;
  role: string;
  aal: string;
  amr: AuthenticationMethodReference[];
  session_id: string;
  is_anonymous: boolean;
  /**
   * Set if the session was opened with a passkey whose device verified its user (two factors in one). Not a
   * GoTrue claim.
   */
  user_verified?: true;
  /** The OAuth application of the session; absent for the account's own sessions. */
  client_id?: string;
  scope?: string;
}

/** The OAuth application of a session. `scope` lists its granted scopes, separated by spaces. */
export interface SessionClient {
  id: string;
  scope: string;
}

/** The part of a session that its access tokens describe. */
export interface TokenSession {
  id: string;
  createdAt: Date;
  /** Newest first. */
  amr: AuthenticationMethodReference[];
  /** Whether the session was opened with a passkey whose device verified its user. */
  isUserVerified?: boolean;
  /** Undefined for the account's own sessions. */
  client?: SessionClient | undefined;
}

/** Builds the claims of a new access token. */
export function accessTokenClaims(
  user: UserRow,
  session: TokenSession,
  config: Pick<AuthConfig, 'jwt' | 'sessions'>,
  now: Date,
): AccessTokenClaims {
  const iat = toSeconds(now);
  return {
    iss: config.jwt.issuer,
    sub: user.id,
    aud: user.aud ?? '',
    exp: Math.min(iat + config.jwt.expirySeconds, lowAssuranceExpiry(user, session, config.sessions)),
    iat,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? '',
    aal: assuranceLevelOf(session.amr),
    amr: withSsoProvider(session.amr, user),
    session_id: session.id,
    is_anonymous: user.is_anonymous,
    ...(session.isUserVerified && { user_verified: true as const }),
    ...(session.client && { client_id: session.client.id, scope: session.client.scope }),
  };
}

/** Adds the SSO provider's id to `amr`: row-level security policies distinguish organisations by it. */
function withSsoProvider(amr: TokenSession['amr'], user: UserRow): TokenSession['amr'] {
  const provider = ssoProviderOf(user);
  if (provider === undefined) return amr;
  return amr.map((entry) => (entry.method === 'sso/saml' ? { ...entry, provider } : entry));
}

/**
 * Seconds since the epoch. A token must expire before its session exceeds the time allowed without a second
 * factor.
 */
function lowAssuranceExpiry(
  user: UserRow,
  session: TokenSession,
  { allowLowAalMs }: AuthConfig['sessions'],
): number {
  if (allowLowAalMs === undefined || assuranceLevelOf(session.amr) >= reachableLevel(user)) return Infinity;
  return toSeconds(new Date(session.createdAt.getTime() + allowLowAalMs));
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
