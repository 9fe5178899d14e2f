/** Authenticates applications at the token endpoint (RFC 6749 §2.3). */
import { secretsEqual } from '@greenroom/keys';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { isUuid } from '../http/uuid.ts';
import { type ClientAuthMethod, type ClientRow, hashClientSecret } from './client.ts';
import { findClient } from './client-statements.ts';
import type { Parameters } from './parameters.ts';

/** Client credentials as sent. */
interface Credentials {
  clientId: string;
  secret: string;
  method: ClientAuthMethod;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
/** Compared with if the client does not exist, to keep the response time constant. */
const NO_HASH = '';

/**
 * Authenticates the calling application by its registered method. Throws `invalid_request` or `invalid_client`.
 * The message of the latter never varies; it includes a challenge if HTTP Basic was used (RFC 6749 §5.2).
 */
export async function authenticateClient(
  { database }: AuthContext,
  request: AuthRequest,
  parameters: Parameters,
): Promise<ClientRow> {
  const credentials = readCredentials(request, parameters);
  const [client] = isUuid(credentials.clientId)
    ? await database.query<ClientRow>(findClient(credentials.clientId.toLowerCase()))
    : [];
  if (isAuthenticated(client, credentials)) return client;
  throw authenticationFailed(credentials.method === 'client_secret_basic');
}

function isAuthenticated(
  client: ClientRow | undefined,
  { secret, method }: Credentials,
): client is ClientRow {
  const hasSecret = secretsEqual(hashClientSecret(secret), client?.client_secret_hash ?? NO_HASH);
  if (client?.token_endpoint_auth_method !== method) return false;
  return method === 'none' || hasSecret;
}

function authenticationFailed(byBasic: boolean): OAuthError {
  const details = byBasic ? { status: 401 as const, challenge: 'Basic realm="oauth", charset="UTF-8"' } : {};
  return new OAuthError('invalid_client', 'Client authentication failed', details);
}

function readCredentials(request: AuthRequest, parameters: Parameters): Credentials {
  const authorization = request.header('authorization') ?? '';
  const [clientId, secret] = [parameters('client_id'), parameters('client_secret')];
  if (/^basic\b/i.test(authorization)) {
    const basic = readBasic(authorization);
    if (secret !== '' || (clientId !== '' && clientId !== basic.clientId)) {
      throw new OAuthError('invalid_request', 'A client must use exactly one authentication method');
    }
    return basic;
  }
  if (clientId === '') throw new OAuthError('invalid_client', 'client_id is required');
  return { clientId, secret, method: secret === '' ? 'none' : 'client_secret_post' };
}

/** Client id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string): Credentials {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw authenticationFailed(true);
  const [clientId = '', secret] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  if (secret === undefined) throw authenticationFailed(true);
  return { clientId: decodeForm(clientId), secret: decodeForm(secret), method: 'client_secret_basic' };
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw authenticationFailed(true);
  }
}
