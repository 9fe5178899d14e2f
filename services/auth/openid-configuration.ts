/** GET /.well-known/openid-configuration: where clients and other services find what (OpenID Connect Discovery 1.0 §4). */
import type { AuthContext, AuthResponse } from './endpoint.ts';
import { KEYS_MAX_AGE_SECONDS } from './jwks.ts';

/** Answers the description. All endpoints are below the issuer. */
export async function openidConfiguration({ config, keys }: AuthContext): Promise<AuthResponse> {
  const { issuer } = config.jwt;
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
      // An ID token needs a key that everybody can verify with.
      id_token_signing_alg_values_supported: [...new Set(keys.jwks().keys.map(({ alg }) => alg))],
      ...CAPABILITIES,
    },
  };
}

const CAPABILITIES = {
  scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  subject_types_supported: ['public'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  code_challenge_methods_supported: ['S256', 'plain'],
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
