/** POST /oauth/token: exchanges a grant for tokens (RFC 6749 §3.2). */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { exchangeRefreshToken } from '../session/refresh.ts';
import { allowsGrant, type ClientRow, type GrantType } from './client.ts';
import { authenticateClient } from './client-authentication.ts';
import { requireOAuthServer } from './enabled.ts';
import { exchangeCode } from './exchange-code.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { tokenResponse } from './token-response.ts';

type GrantHandler = (
  context: AuthContext,
  request: AuthRequest,
  client: ClientRow,
  parameters: Parameters,
) => Promise<AuthResponse>;

const GRANT_HANDLERS = new Map<string, GrantHandler>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refresh],
] satisfies [GrantType, GrantHandler][]);

export async function oauthToken(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  context.limits.check('token', request, context.now());
  const parameters = readParameters(request);
  const client = await authenticateClient(context, request, parameters);
  const type = parameters('grant_type');
  if (type === '') throw new OAuthError('invalid_request', 'grant_type is required');
  const handleGrant = GRANT_HANDLERS.get(type);
  if (handleGrant === undefined) throw new OAuthError('unsupported_grant_type', 'Unsupported grant type');
  if (!allowsGrant(client, type as GrantType)) {
    throw new OAuthError('unauthorized_client', 'The client may not use this grant type');
  }
  return handleGrant(context, request, client, parameters);
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
    const response = await exchangeRefreshToken(context, request, token, client.id);
    return tokenResponse(response, { client, scope: response.scope ?? '' });
  } catch (error) {
    throw asGrantError(error);
  }
}

/** Maps the service's errors for invalid refresh tokens to `invalid_grant` (RFC 6749 §5.2). */
function asGrantError(error: unknown): unknown {
  const isRejected = error instanceof CatalogueError && error.status === 400;
  return isRejected ? new OAuthError('invalid_grant', error.message) : error;
}
