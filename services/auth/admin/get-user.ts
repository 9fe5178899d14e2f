import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { requireAdmin } from '../session/caller.ts';
import { toUser } from '../user/user.ts';
import { targetUser } from './target-user.ts';

/** GET /admin/users/:userId: returns a user. */
export async function getUserAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  return { status: 200, body: toUser(await targetUser(context, request)) };
}
