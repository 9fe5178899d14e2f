/** The response to every sign-in and refresh: a signed access token, a refresh token and the user. */
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { Weakness } from '../contracts/passwords.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import type { ProviderTokens } from '../flow-state/provider-tokens.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { type AccessTokenClaims, accessTokenClaims, type TokenSession } from './access-token.ts';
import { customizeClaims, type IssuedClaims } from './custom-access-token.ts';
import { refreshTokenHeaders } from './issued-token.ts';

/** A session to respond with. */
export interface Grant {
  user: UserRow;
  session: TokenSession;
  refreshToken: string;
  /** Reported on sign-in with a password that the current rules would reject. */
  weakPassword?: Weakness | undefined;
  /** Tokens of the external provider that the user signed in with. */
  providerTokens?: ProviderTokens | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Authentication method for the access token hook; if undefined, the newest method of the session. */
  method?: 'token_refresh';
}

/** The response body. Undefined fields are omitted. */
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

export interface SessionResponse extends AuthResponse {
  body: SessionBody;
  /** Granted scopes of the session's application; undefined for the account's own sessions. */
  scope: string | undefined;
}

/**
 * Signs the access token and builds the response, which must not be cached (RFC 6749 §5.1). Throws a
 * `HookFailure` if a hook for access tokens rejects.
 * @param tx open transaction, if the session is not committed yet
 */
export async function respondWithSession(
  context: AuthContext,
  request: AuthRequest,
  grant: Grant,
  tx?: Transaction,
): Promise<SessionResponse> {
  const { user, session, refreshToken, weakPassword, providerTokens, headers } = grant;
  const own = accessTokenClaims(user, session, context.config, context.now());
  const isCustom = context.hooks.isSet('customAccessToken');
  const claims = isCustom ? await customize(context, request, grant, own, tx) : own;
  return {
    status: 200,
    scope: session.client?.scope,
    headers: {
      'cache-control': 'no-store',
      'sb-auth-user-id': user.id,
      'sb-auth-session-id': session.id,
      ...refreshTokenHeaders(refreshToken),
      ...headers,
    },
    body: {
      access_token: await context.keys.sign({ ...claims }),
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

function customize(
  context: AuthContext,
  request: AuthRequest,
  { user, session, method }: Grant,
  claims: AccessTokenClaims,
  tx: Transaction | undefined,
): Promise<IssuedClaims> {
  const authentication_method = method ?? session.amr[0]?.method ?? '';
  return customizeClaims(context, request, { user_id: user.id, claims, authentication_method }, tx);
}
