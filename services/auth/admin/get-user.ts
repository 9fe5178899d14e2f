/** GET /admin/users/:userId */
import { requireAdmin } from '../caller.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { toUser } from '../user.ts';
import { targetUser } from './target-user.ts';

/** Answers a user. */
export async function getUserAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  return { status: 200, body: toUser(await targetUser(context, request)) };
}
