/** The target user and the actor of an admin request. */
import type { AuditActor } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isUuid, uuidParam } from '../http/uuid.ts';
import type { Claims } from '../session/caller.ts';
import { findUserById, NIL_UUID } from '../user/find.ts';
import type { UserRow } from '../user/user.ts';

/**
 * Returns the user of path parameter `userId`. Throws `validation_failed` and `user_not_found`, both with
 * status 404.
 */
export async function targetUser({ database }: AuthContext, request: AuthRequest): Promise<UserRow> {
  const [user] = await database.query<UserRow>(findUserById(uuidParam(request, 'userId')));
  if (user !== undefined) return user;
  throw userNotFound();
}

export function userNotFound() {
  return failure('user_not_found', { status: 404, message: 'User not found' });
}

/** The actor for the audit log: the admin, or the role of a service key. */
export function adminActor({ sub, email, role }: Claims): AuditActor {
  return {
    id: typeof sub === 'string' && isUuid(sub) ? sub : NIL_UUID,
    email: typeof email === 'string' && email !== '' ? email : String(role ?? ''),
    phone: null,
    is_sso_user: false,
    raw_user_meta_data: null,
  };
}
