import { OAuthError } from '../../http/oauth-error.ts';

/** An `invalid_grant` error of OAuth 2.0, as GoTrue reports invalid messages. */
export function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description);
}
