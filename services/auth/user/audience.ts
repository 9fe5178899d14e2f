/** For which audience (claim `aud`) a request speaks: users are looked up within one. */

import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import type { AuthConfig } from '../settings/settings.ts';

/** Of `users.aud`. */
const MAX_LENGTH = 255;

/** The parts of a verified token that matter here. */
interface AudienceClaims {
  aud?: unknown;
  role?: unknown;
}

/**
 * In order: header X-JWT-AUD; the caller's token, unless its role is an admin role (their keys have no
 * audience); the configured one. Throws `validation_failed` on a header that no user could have.
 */
export function audienceOf(request: AuthRequest, config: AuthConfig, claims?: AudienceClaims): string {
  const named = request.header('x-jwt-aud');
  if (named) return checkLength(named);
  const isAdmin = typeof claims?.role === 'string' && config.jwt.adminRoles.includes(claims.role);
  if (claims === undefined || isAdmin) return config.jwt.audience;
  return audienceOfClaims(claims) || config.jwt.audience;
}

/** The audience of a token, or '' where it has none. Of several the first counts. */
export function audienceOfClaims({ aud }: AudienceClaims): string {
  const first = Array.isArray(aud) ? aud[0] : aud;
  return typeof first === 'string' ? first : '';
}

function checkLength(audience: string): string {
  if (audience.length <= MAX_LENGTH) return audience;
  throw failure('validation_failed', {
    message: `X-JWT-AUD must not be longer than ${MAX_LENGTH} characters`,
  });
}
