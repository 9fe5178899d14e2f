/** GET /oauth/authorize: starts the sign-in to an application (RFC 6749 §4.1.1, OAuth 2.1). */
import { randomUUID } from 'node:crypto';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { errorUrl, randomToken } from './authorization.ts';
import { checkAuthorizationParameters } from './authorization-parameters.ts';
import { insertAuthorization } from './authorization-statements.ts';
import { type ClientRow, parseClientId, redirectUrisOf } from './client.ts';
import { findClient } from './client-statements.ts';
import { requireOAuthServer } from './enabled.ts';
import { formParameters } from './parameters.ts';
import { redirectUriError } from './redirect-uri.ts';

/** The requesting application and its redirect URI, verified against its registration. */
interface ClientRedirect {
  clientId: string;
  redirectUri: string;
}

/**
 * Redirects to the site's consent page. Errors redirect to the application, unless the client or the redirect
 * URI is invalid: those errors are returned directly.
 */
export async function authorizeClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  context.limits.check('oauthAuthorize', request, context.now());
  const client = await requireClientRedirect(context, request.query);
  try {
    return await createAuthorization(context, request.query, client);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const target = { redirect_uri: client.redirectUri, state: stateForError(request.query) };
    return redirect(errorUrl(context.config, target, { error: error.code, description: error.message }));
  }
}

async function requireClientRedirect(
  { database }: AuthContext,
  query: URLSearchParams,
): Promise<ClientRedirect> {
  const clientId = parseClientId(singleParameter(query, 'client_id'));
  const redirectUri = singleParameter(query, 'redirect_uri');
  if (redirectUri === '') throw failure('validation_failed', { message: 'redirect_uri is required' });
  const [client] = await database.query<ClientRow>(findClient(clientId));
  if (client === undefined) {
    throw failure('oauth_client_not_found', { status: 400, message: 'invalid client_id' });
  }
  // Validate again: the client may have been registered under less strict rules.
  const isValid = redirectUriError(redirectUri) === undefined;
  if (isValid && redirectUrisOf(client).includes(redirectUri)) return { clientId, redirectUri };
  throw failure('validation_failed', { message: 'invalid redirect_uri' });
}

function singleParameter(query: URLSearchParams, name: string): string {
  const [value = '', ...others] = query.getAll(name);
  if (others.length === 0) return value;
  throw failure('validation_failed', { message: `${name} must not be sent twice` });
}

async function createAuthorization(
  context: AuthContext,
  query: URLSearchParams,
  client: ClientRedirect,
): Promise<AuthResponse> {
  const { config, keys, database, now } = context;
  const parameters = checkAuthorizationParameters(formParameters(query), keys.signIdToken !== undefined);
  const [authorizationId, createdAt] = [randomToken(), now()];
  const expiresAt = new Date(createdAt.getTime() + config.oauthServer.authorizationLifetimeMs);
  await database.query(
    insertAuthorization({ id: randomUUID(), authorizationId, ...client, parameters, createdAt, expiresAt }),
  );
  const { siteUrl } = config.redirects;
  return redirect(`${siteUrl}${config.oauthServer.authorizationPath}?authorization_id=${authorizationId}`);
}

/** Omits the state if it was sent more than once, which may be the reported error. */
function stateForError(query: URLSearchParams): string | null {
  const states = query.getAll('state');
  return states.length === 1 ? (states[0] ?? null) : null;
}

function redirect(location: string): AuthResponse {
  return { status: 302, headers: { location, 'cache-control': 'no-store' } };
}
