/** Determines the audience (claim `aud`) of a request. User look-ups are limited to one audience. */

import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import type { AuthConfig } from '../settings/settings.ts';

/** Length of column `users.aud`. */
const MAX_LENGTH = 255;

interface AudienceClaims {
  aud?: unknown;
  role?: unknown;
}

/**
 * Returns the first of: header X-JWT-AUD; the audience of the caller's token, unless its role is an admin role
 * (admin keys have no audience); the configured audience. Throws `validation_failed` if the header is longer
 * than any user's audience.
 */
export function audienceOf(request: AuthRequest, config: AuthConfig, claims?: AudienceClaims): string {
  const named = request.header('x-jwt-aud');
  if (named) return checkLength(named);
  const isAdmin = typeof claims?.role === 'string' && config.jwt.adminRoles.includes(claims.role);
  if (claims === undefined || isAdmin) return config.jwt.audience;
  return audienceOfClaims(claims) || config.jwt.audience;
}

/** Returns the audience of a token (the first of several), or '' if it has none. */
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
