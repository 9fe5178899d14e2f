/** GET /oauth/authorize: an application sends somebody here to sign in (RFC 6749 §4.1.1, OAuth 2.1). */
import { randomUUID } from 'node:crypto';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { errorUrl, randomTicket } from './authorization.ts';
import { checkAuthorizationParameters } from './authorization-parameters.ts';
import { insertAuthorization } from './authorization-statements.ts';
import { type ClientRow, parseClientId, redirectUrisOf } from './client.ts';
import { findClient } from './client-statements.ts';
import { requireOAuthServer } from './enabled.ts';
import { readForm } from './parameters.ts';
import { faultOfRedirectUri } from './redirect-uri.ts';

/** An application, and where it wants to be answered. */
interface Asking {
  clientId: string;
  redirectUri: string;
}

/**
 * Leads to the site's page that asks for consent. Whatever is wrong is told to the application, except where it is not
 * sure who that is: then it is told here.
 */
export async function authorizeClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  context.limits.check('oauthAuthorize', request, context.now());
  const asking = await requireAsking(context, request.query);
  try {
    return await begin(context, request.query, asking);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const target = { redirect_uri: asking.redirectUri, state: safeState(request.query) };
    return redirect(errorUrl(context.config, target, { error: error.code, description: error.message }));
  }
}

async function requireAsking({ database }: AuthContext, query: URLSearchParams): Promise<Asking> {
  const clientId = parseClientId(only(query, 'client_id'));
  const redirectUri = only(query, 'redirect_uri');
  if (redirectUri === '') throw failure('validation_failed', { message: 'redirect_uri is required' });
  const [client] = await database.query<ClientRow>(findClient(clientId));
  if (client === undefined) {
    throw failure('oauth_client_not_found', { status: 400, message: 'invalid client_id' });
  }
  // Checked again: the rules of registration may have been less strict when it was registered.
  const isFit = faultOfRedirectUri(redirectUri) === undefined;
  if (isFit && redirectUrisOf(client).includes(redirectUri)) return { clientId, redirectUri };
  throw failure('validation_failed', { message: 'invalid redirect_uri' });
}

function only(query: URLSearchParams, name: string): string {
  const [value = '', ...others] = query.getAll(name);
  if (others.length === 0) return value;
  throw failure('validation_failed', { message: `${name} was sent twice` });
}

async function begin(context: AuthContext, query: URLSearchParams, asking: Asking): Promise<AuthResponse> {
  const { config, keys, database, now } = context;
  const parameters = checkAuthorizationParameters(readForm(query), keys.signIdToken !== undefined);
  const [ticket, createdAt] = [randomTicket(), now()];
  const expiresAt = new Date(createdAt.getTime() + config.oauthServer.authorizationLifetimeMs);
  await database.query(
    insertAuthorization({ id: randomUUID(), ticket, ...asking, parameters, createdAt, expiresAt }),
  );
  const { siteUrl } = config.redirects;
  return redirect(`${siteUrl}${config.oauthServer.authorizationPath}?authorization_id=${ticket}`);
}

/** What may be wrong is the state itself. */
function safeState(query: URLSearchParams): string | null {
  const states = query.getAll('state');
  return states.length === 1 ? (states[0] ?? null) : null;
}

function redirect(location: string): AuthResponse {
  return { status: 302, headers: { location, 'cache-control': 'no-store' } };
}
