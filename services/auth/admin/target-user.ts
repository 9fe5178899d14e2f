/** Whom an admin call is about, and who acts. */
import type { AuditActor } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isUuid, uuidParam } from '../http/uuid.ts';
import type { Claims } from '../session/caller.ts';
import { findUserById, NIL_UUID } from '../user/find.ts';
import type { UserRow } from '../user/user.ts';

/** The user of the path's `userId`. Throws `validation_failed` and `user_not_found`, both with status 404. */
export async function targetUser({ database }: AuthContext, request: AuthRequest): Promise<UserRow> {
  const [user] = await database.query<UserRow>(findUserById(uuidParam(request, 'userId')));
  if (user !== undefined) return user;
  throw unknownUser();
}

/** No such user, or no longer. */
export function unknownUser() {
  return failure('user_not_found', { status: 404, message: 'User not found' });
}

/** Who acts, for the audit log: a user who is an admin, or a service. */
export function adminActor({ sub, email, role }: Claims): AuditActor {
  return {
    id: typeof sub === 'string' && isUuid(sub) ? sub : NIL_UUID,
    email: typeof email === 'string' && email !== '' ? email : String(role ?? ''),
    phone: null,
    is_sso_user: false,
    raw_user_meta_data: null,
  };
}
