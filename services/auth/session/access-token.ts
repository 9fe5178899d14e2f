/** Access tokens: which claims a user's JSON Web Token carries. Signing is the keys' business. */
import type { AuthConfig } from '../settings/settings.ts';
import type { Metadata } from '../user/metadata.ts';
import { ssoProviderOf, type UserRow } from '../user/user.ts';
import { type AuthenticationMethodReference, assuranceLevelOf, reachableLevel } from './session.ts';

/**
 * The claims, as every service reads them. Times are in seconds since the epoch; there is no `nbf` and no
 * `jti`.
 */
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
  /** Of sessions that a passkey opened whose device has verified its user: two factors in one. A claim of our own. */
  user_verified?: true;
  /** Of sessions of an application. */
  client_id?: string;
  scope?: string;
}

/** The application that a session is for, and what it may know (separated by blanks). */
export interface SessionClient {
  id: string;
  scope: string;
}

/** The session that a token is for. */
export interface TokenSession {
  id: string;
  createdAt: Date;
  /** Newest first. */
  amr: AuthenticationMethodReference[];
  /** The device of the passkey that opened it has verified its user. */
  isUserVerified?: boolean;
  /** Undefined for the account's own sessions. */
  client?: SessionClient | undefined;
}

/** The claims of a new token. */
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
    exp: Math.min(iat + config.jwt.expirySeconds, lowAssuranceEnd(user, session, config.sessions)),
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

/** Policies of the database tell organisations apart by the provider. */
function withSsoProvider(amr: TokenSession['amr'], user: UserRow): TokenSession['amr'] {
  const provider = ssoProviderOf(user);
  if (provider === undefined) return amr;
  return amr.map((entry) => (entry.method === 'sso/saml' ? { ...entry, provider } : entry));
}

/** A token must not outlive the time that its session may go without the second factor. */
function lowAssuranceEnd(
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
