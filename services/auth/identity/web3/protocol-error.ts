/** Errors as OAuth 2.0 has them, in which GoTrue answers what is wrong with a grant. */
import { OAuthError } from '../../http/oauth-error.ts';

/** The grant is not good, or no longer. */
export function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description);
}
