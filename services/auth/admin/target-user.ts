/** Whom an admin call is about, and who acts. */
import type { AuditActor } from '../audit.ts';
import type { Claims } from '../caller.ts';
import type { AuthContext, AuthRequest } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { findUserById, NIL_UUID } from '../user/find.ts';
import type { UserRow } from '../user.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in its usual form (RFC 9562 §4). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID of the path. Throws `validation_failed` with status 404, as GoTrue does. */
export function uuidParam({ params }: AuthRequest, name: string): string {
  const text = params[name] ?? '';
  if (isUuid(text)) return text;
  throw failure('validation_failed', { status: 404, message: `${name} must be an UUID` });
}

/** The user of the path's `userId`. Throws `validation_failed` and `user_not_found`, both with status 404. */
export async function targetUser({ database }: AuthContext, request: AuthRequest): Promise<UserRow> {
  const [user] = await database.query<UserRow>(findUserById(uuidParam(request, 'userId')));
  if (user !== undefined) return user;
  throw failure('user_not_found', { status: 404, message: 'User not found' });
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
