/** DELETE /admin/users/:userId/identities/:identityId: unlinks an identity. GoTrue has no such endpoint. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { removeIdentity } from '../identity/unlink.ts';
import { requireAdmin } from '../session/caller.ts';
import { adminActor, targetUser } from './target-user.ts';

/** Unlinks an identity, but never the last one. */
export async function unlinkIdentityAsAdmin(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { id: userId } = await targetUser(context, request);
  await removeIdentity(context, request, { userId, actor: adminActor(claims) });
  return { status: 204 };
}
