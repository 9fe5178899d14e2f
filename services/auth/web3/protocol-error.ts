/** Errors as OAuth 2.0 has them (RFC 6749 §5.2), in which GoTrue answers what is wrong with a grant. */
import type { AuthResponse } from '../endpoint.ts';

/** The grant is not good, or no longer. */
export function invalidGrant(description: string): AuthResponse {
  return {
    status: 400,
    headers: { 'cache-control': 'no-store' },
    body: { error: 'invalid_grant', error_description: description },
  };
}
