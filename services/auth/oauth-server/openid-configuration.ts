/**
 * GET /.well-known/openid-configuration and /.well-known/oauth-authorization-server: metadata of the
 * authorization server for clients and other services (OpenID Connect Discovery 1.0 §4, RFC 8414 §2).
 */
import type { AuthContext } from '../context.ts';
import type { AuthResponse } from '../contracts/request.ts';
import { KEYS_MAX_AGE_SECONDS } from '../instance/jwks.ts';
import { AUTH_METHODS, GRANT_TYPES } from './client.ts';
import { requireOAuthServer } from './enabled.ts';
import { SCOPES } from './scopes.ts';

/** Returns the metadata. All endpoints are below the issuer. */
export async function openidConfiguration({ config, keys }: AuthContext): Promise<AuthResponse> {
  const { issuer } = config.jwt;
  const { enabled, dynamicRegistration } = config.oauthServer;
  const base = issuer.replace(/\/+$/, '');
  return {
    status: 200,
    headers: { 'cache-control': `public, max-age=${KEYS_MAX_AGE_SECONDS}` },
    body: {
      issuer,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      userinfo_endpoint: `${base}/oauth/userinfo`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      ...(enabled && dynamicRegistration && { registration_endpoint: `${base}/oauth/clients/register` }),
      // Symmetric keys are not listed: clients could not verify ID tokens with them.
      id_token_signing_alg_values_supported: [...new Set(keys.jwks().keys.map(({ alg }) => alg))],
      ...CAPABILITIES,
    },
  };
}

/** Returns the same metadata for OAuth 2.0. Throws `feature_disabled` if the authorization server is disabled. */
export async function authorizationServerMetadata(context: AuthContext): Promise<AuthResponse> {
  requireOAuthServer(context);
  return openidConfiguration(context);
}

const CAPABILITIES = {
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  subject_types_supported: ['public'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_supported: [
    'sub',
    'aud',
    'iss',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'email',
    'email_verified',
    'phone_number',
    'phone_number_verified',
    'name',
    'picture',
    'preferred_username',
    'updated_at',
  ],
};
