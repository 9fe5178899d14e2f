/** GET /user: the caller, as they are now. */
import { audienceOf, audienceOfClaims } from './audience.ts';
import { requireCallerOrApplication } from './caller.ts';
import type { AuthContext, AuthRequest, AuthResponse } from './endpoint.ts';
import { failure } from './errors.ts';
import { toUser } from './user.ts';

/** Answers the caller. */
export async function getUser(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user, claims } = await requireCallerOrApplication(context, request);
  if (audienceOf(request, context.config, claims) !== audienceOfClaims(claims)) {
    throw failure('validation_failed', { message: "Token audience doesn't match request audience" });
  }
  return { status: 200, body: toUser(user) };
}
