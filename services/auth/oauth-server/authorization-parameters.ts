/** Validates parameters of the authorization endpoint, after client and redirect URI have been verified. */
import { CatalogueError } from '@greenroom/errors';
import { checkPkceParameters } from '../flow-state/pkce-parameters.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { areKnownScopes, DEFAULT_SCOPE, splitScopes } from './scopes.ts';

/** In characters. The state is repeated in a redirect URL, which must stay short enough for servers. */
const MAX_LENGTHS = { state: 4096, nonce: 255, resource: 2048 };

export interface AuthorizationParameters {
  scope: string;
  state: string | null;
  resource: string | null;
  nonce: string | null;
  codeChallenge: string;
  codeChallengeMethod: 's256';
}

/**
 * Validates the parameters. Throws an `OAuthError` with a code of RFC 6749 §4.1.2.1.
 * @param signsIdTokens whether the instance can sign ID tokens, as scope `openid` requires
 */
export function checkAuthorizationParameters(
  parameters: (name: string) => string,
  signsIdTokens: boolean,
): AuthorizationParameters {
  requireCodeFlow(parameters);
  return {
    scope: checkScope(parameters('scope') || DEFAULT_SCOPE, signsIdTokens),
    state: checkText('state', parameters('state')),
    resource: checkResource(parameters('resource')),
    nonce: checkText('nonce', parameters('nonce')),
    ...checkPkce(parameters('code_challenge'), parameters('code_challenge_method')),
  };
}

function requireCodeFlow(parameters: (name: string) => string): void {
  if ((parameters('response_type') || 'code') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'only response_type=code is supported');
  }
  if ((parameters('response_mode') || 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'only response_mode=query is supported');
  }
  if (parameters('request') !== '') {
    throw new OAuthError('request_not_supported', 'request objects are not supported');
  }
  if (parameters('request_uri') !== '') {
    throw new OAuthError('request_uri_not_supported', 'request objects are not supported');
  }
  // This endpoint does not know the user's session; only the site's page does. So prompt=none can never
  // succeed.
  if (splitScopes(parameters('prompt')).includes('none')) {
    throw new OAuthError('login_required', 'prompt=none is not supported, because the user must consent');
  }
}

function checkScope(text: string, signsIdTokens: boolean): string {
  const scopes = splitScopes(text);
  if (scopes.length === 0 || !areKnownScopes(scopes))
    throw new OAuthError('invalid_scope', 'unsupported scope');
  if (scopes.includes('openid') && !signsIdTokens) {
    throw new OAuthError('invalid_scope', 'scope openid requires an asymmetric signing key');
  }
  return scopes.join(' ');
}

function checkText(name: keyof typeof MAX_LENGTHS, value: string): string | null {
  if (value.includes('\0') || [...value].length > MAX_LENGTHS[name]) {
    throw new OAuthError('invalid_request', `${name} is too long or has characters that are not allowed`);
  }
  return value || null;
}

/** Validates a resource indicator (RFC 8707 §2). */
function checkResource(value: string): string | null {
  if (value === '') return null;
  const isValid = value.length <= MAX_LENGTHS.resource && URL.canParse(value) && !/[#?\0]/.test(value);
  if (isValid) return value;
  throw new OAuthError('invalid_target', 'resource must be an absolute URI without query and fragment');
}

/**
 * Requires PKCE with S256 (OAuth 2.1 §4.1.1). Method `plain` would reveal the verifier to anyone who sees the
 * request.
 */
function checkPkce(challenge: string, method: string) {
  if (challenge === '' || method === '') {
    throw new OAuthError(
      'invalid_request',
      'PKCE flow requires both code_challenge and code_challenge_method',
    );
  }
  if (method.toLowerCase() !== 's256') {
    throw new OAuthError('invalid_request', 'code_challenge_method has to be S256');
  }
  try {
    checkPkceParameters(challenge, method);
  } catch (error) {
    throw error instanceof CatalogueError ? new OAuthError('invalid_request', error.message) : error;
  }
  return { codeChallenge: challenge, codeChallengeMethod: 's256' as const };
}
