/** GET /user: returns the caller's current user object. */

import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { requireCallerOrApplication } from '../session/caller.ts';
import { audienceOf, audienceOfClaims } from '../user/audience.ts';
import { toUser } from '../user/user.ts';

/**
 * Returns the user of the bearer token, which may be an OAuth application's. Throws `validation_failed` if the token
 * has another audience than the request.
 */
export async function getUser(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user, claims } = await requireCallerOrApplication(context, request);
  if (audienceOf(request, context.config, claims) !== audienceOfClaims(claims)) {
    throw failure('validation_failed', { message: "Token audience doesn't match request audience" });
  }
  return { status: 200, body: toUser(user) };
}
