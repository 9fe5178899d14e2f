/** POST /oauth/clients/register: dynamic client registration (RFC 7591). */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { parseBody } from '../http/request-body.ts';
import { toClient } from './client.ts';
import {
  checkRegistration,
  MetadataError,
  type Registration,
  registrationFields,
} from './client-metadata.ts';
import { createClient } from './create-client.ts';
import { requireOAuthServer } from './enabled.ts';

/** Registers a client. Errors follow RFC 7591 §3.2.2. */
export async function registerClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  if (!context.config.oauthServer.dynamicRegistration) {
    throw failure('oauth_dynamic_client_registration_disabled');
  }
  context.limits.check('oauthClient', request, context.now());
  const { row, secret } = await createClient(context, readRegistration(request), 'dynamic', () => []);
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: {
      ...toClient(row, secret),
      client_id_issued_at: Math.floor(row.created_at.getTime() / 1000),
      // Required with a secret (RFC 7591 §3.2.1); 0 means that it does not expire.
      ...(secret !== undefined && { client_secret_expires_at: 0 }),
    },
  };
}

function readRegistration({ body }: AuthRequest): Registration {
  try {
    return checkRegistration(parseBody(body, registrationFields));
  } catch (error) {
    throw asRegistrationError(error);
  }
}

function asRegistrationError(error: unknown): unknown {
  if (error instanceof MetadataError) {
    const code = error.field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    return new OAuthError(code, error.message);
  }
  return error instanceof CatalogueError ? new OAuthError('invalid_client_metadata', error.message) : error;
}
