/** DELETE /admin/users/:userId: deletes a user, or makes the account unusable but keeps its id. */
import { z } from 'zod';
import { writeAudit } from '../audit/write.ts';
import { auditEntry } from '../audit.ts';
import { requireAdmin } from '../caller.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { parseBody } from '../request-body.ts';
import { refusedSave } from './save-error.ts';
import { deleteUser, softDeleteUser } from './statements.ts';
import { adminActor, targetUser } from './target-user.ts';

const fields = z.object({ should_soft_delete: z.boolean().nullish() });

/** Deletes a user. The body is optional. */
export async function deleteUserAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const isSoft = request.body?.length ? parseBody(request.body, fields).should_soft_delete === true : false;
  const user = await targetUser(context, request);
  const traits = { user_id: user.id, user_email: user.email ?? '', user_phone: user.phone ?? '' };
  const now = context.now();
  await context.database
    .batch([
      ...(isSoft ? (user.deleted_at === null ? softDeleteUser(user.id, now) : []) : [deleteUser(user.id)]),
      ...writeAudit(context, request, [auditEntry(adminActor(claims), 'user_deleted', traits)]),
    ])
    .catch((error: unknown) => {
      throw refusedSave(error, 'deleting');
    });
  return { status: 200, body: {} };
}
