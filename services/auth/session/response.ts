/** The answer to every sign-in and refresh: a signed access token, a refresh token, and the user. */
import { accessTokenClaims, type TokenSession } from '../access-token.ts';
import type { AuthContext, AuthResponse } from '../endpoint.ts';
import type { ProviderTokens } from '../flow-state/provider-tokens.ts';
import type { Weakness } from '../password/strength.ts';
import { refreshTokenPrefix } from '../refresh-token.ts';
import { toUser, type User, type UserRow } from '../user.ts';

/** What is granted. */
export interface Grant {
  user: UserRow;
  session: TokenSession;
  refreshToken: string;
  /** Told on sign-in with a password that today's rules would refuse. */
  weakPassword?: Weakness | undefined;
  /** Of the external provider that somebody came from. */
  providerTokens?: ProviderTokens | undefined;
  headers?: Record<string, string>;
}

/** What of the answer is known to be there. */
export interface SessionBody {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: User;
  provider_token: string | undefined;
  provider_refresh_token: string | undefined;
  weak_password: Weakness | undefined;
}

/** An answer that grants something. */
export interface SessionAnswer extends AuthResponse {
  body: SessionBody;
  /** What the session's application may know; undefined for the account's own sessions. */
  scope: string | undefined;
}

/**
 * Signs the access token and puts the answer together. It is nobody else's: no cache may keep it (RFC 6749
 * §5.1).
 */
export async function answerWithSession(
  { config, keys, now }: AuthContext,
  { user, session, refreshToken, weakPassword, providerTokens, headers }: Grant,
): Promise<SessionAnswer> {
  const issuedAt = now();
  const claims = accessTokenClaims(user, session, config, issuedAt);
  return {
    status: 200,
    scope: session.client?.scope,
    headers: {
      'cache-control': 'no-store',
      'sb-auth-user-id': user.id,
      'sb-auth-session-id': session.id,
      'sb-auth-refresh-token-prefix': refreshTokenPrefix(refreshToken),
      ...headers,
    },
    body: {
      access_token: await keys.sign({ ...claims }),
      token_type: 'bearer',
      expires_in: claims.exp - claims.iat,
      expires_at: claims.exp,
      refresh_token: refreshToken,
      user: toUser(user),
      provider_token: providerTokens?.accessToken,
      provider_refresh_token: providerTokens?.refreshToken,
      weak_password: weakPassword,
    },
  };
}
