/** POST /oauth/token: applications exchange what they were given for tokens (RFC 6749 §3.2). */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { exchangeRefreshToken } from '../session/refresh.ts';
import { type ClientRow, type GrantType, mayUse } from './client.ts';
import { authenticateClient } from './client-authentication.ts';
import { requireOAuthServer } from './enabled.ts';
import { exchangeCode } from './exchange-code.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { tokenAnswer } from './token-answer.ts';

type Grant = (
  context: AuthContext,
  request: AuthRequest,
  client: ClientRow,
  parameters: Parameters,
) => Promise<AuthResponse>;

const GRANTS = new Map<string, Grant>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refresh],
] satisfies [GrantType, Grant][]);

/** Serves the grant that is asked for. */
export async function oauthToken(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  context.limits.check('token', request, context.now());
  const parameters = readParameters(request);
  const client = await authenticateClient(context, request, parameters);
  const type = parameters('grant_type');
  if (type === '') throw new OAuthError('invalid_request', 'grant_type is required');
  const grant = GRANTS.get(type);
  if (grant === undefined) throw new OAuthError('unsupported_grant_type', 'Unsupported grant type');
  if (!mayUse(client, type as GrantType)) {
    throw new OAuthError('unauthorized_client', 'The client may not use this grant type');
  }
  return grant(context, request, client, parameters);
}

async function refresh(
  context: AuthContext,
  request: AuthRequest,
  client: ClientRow,
  parameters: Parameters,
): Promise<AuthResponse> {
  const token = parameters('refresh_token');
  if (token === '') throw new OAuthError('invalid_request', 'refresh_token is required');
  try {
    const answer = await exchangeRefreshToken(context, request, token, client.id);
    return tokenAnswer(answer, { client, scope: answer.scope ?? '' });
  } catch (error) {
    throw asGrantError(error);
  }
}

/** The service's own words for a token that is not good any more are one word of OAuth's (RFC 6749 §5.2). */
function asGrantError(error: unknown): unknown {
  const isRefusal = error instanceof CatalogueError && error.status === 400;
  return isRefusal ? new OAuthError('invalid_grant', error.message) : error;
}
