/** Which application is calling the token endpoint, and whether it is that one (RFC 6749 §2.3). */
import { secretsEqual } from '@greenroom/keys';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { isUuid } from '../http/uuid.ts';
import { type ClientAuthMethod, type ClientRow, hashClientSecret } from './client.ts';
import { findClient } from './client-statements.ts';
import type { Parameters } from './parameters.ts';

/** What an application says of itself. */
interface Credentials {
  clientId: string;
  secret: string;
  method: ClientAuthMethod;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
/** Compared with where there is nothing to compare with, so that it takes as long. */
const NO_HASH = '';

/**
 * The application that is calling. It has to prove itself in the way it was registered for. Throws `invalid_request` or
 * `invalid_client`, the latter always the same, and with a challenge where HTTP Basic was tried (RFC 6749 §5.2).
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
  if (isProven(client, credentials)) return client;
  throw unknownClient(credentials.method === 'client_secret_basic');
}

function isProven(client: ClientRow | undefined, { secret, method }: Credentials): client is ClientRow {
  const hasSecret = secretsEqual(hashClientSecret(secret), client?.client_secret_hash ?? NO_HASH);
  if (client?.token_endpoint_auth_method !== method) return false;
  return method === 'none' || hasSecret;
}

function unknownClient(byBasic: boolean): OAuthError {
  const details = byBasic ? { status: 401 as const, challenge: 'Basic realm="oauth", charset="UTF-8"' } : {};
  return new OAuthError('invalid_client', 'Client authentication failed', details);
}

function readCredentials(request: AuthRequest, parameters: Parameters): Credentials {
  const authorization = request.header('authorization') ?? '';
  const [clientId, secret] = [parameters('client_id'), parameters('client_secret')];
  if (/^basic\b/i.test(authorization)) {
    const basic = readBasic(authorization);
    if (secret !== '' || (clientId !== '' && clientId !== basic.clientId)) {
      throw new OAuthError('invalid_request', 'A client must authenticate in one way only');
    }
    return basic;
  }
  if (clientId === '') throw new OAuthError('invalid_client', 'client_id is required');
  return { clientId, secret, method: secret === '' ? 'none' : 'client_secret_post' };
}

/** Id and secret are encoded as in forms before they are put together (RFC 6749 §2.3.1). */
function readBasic(authorization: string): Credentials {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw unknownClient(true);
  const [clientId = '', secret] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  if (secret === undefined) throw unknownClient(true);
  return { clientId: decodeForm(clientId), secret: decodeForm(secret), method: 'client_secret_basic' };
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw unknownClient(true);
  }
}
