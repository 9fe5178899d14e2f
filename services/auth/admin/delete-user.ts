/**
 * DELETE /admin/users/:userId: deletes a user, or soft-deletes the account, which makes it unusable but keeps
 * its id.
 */
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import { deleteUser, lockForDeletion } from '../account/delete-user.ts';
import { type AuditActor, auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { parseBody } from '../http/request-body.ts';
import { requireAdmin } from '../session/caller.ts';
import { toSaveFailure } from '../user/save-error.ts';
import { softDeleteUser } from './statements.ts';
import { adminActor, targetUser, userNotFound } from './target-user.ts';

const fields = z.object({ should_soft_delete: z.boolean().nullish() });

interface Deletion {
  id: string;
  isSoft: boolean;
  admin: AuditActor;
}

/** Deletes a user. The body is optional. */
export async function deleteUserAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { id } = await targetUser(context, request);
  const isSoft = request.body?.length ? parseBody(request.body, fields).should_soft_delete === true : false;
  await context.database
    .transaction((tx) => execute(tx, context, request, { id, isSoft, admin: adminActor(claims) }))
    .catch((error: unknown) => {
      throw toSaveFailure(error, 'deleting');
    });
  return { status: 200, body: {} };
}

async function execute(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { id, isSoft, admin }: Deletion,
): Promise<void> {
  const user = await lockForDeletion(tx, id);
  if (user === undefined) throw userNotFound();
  const traits = { user_id: id, user_email: user.email ?? '', user_phone: user.phone ?? '' };
  const isDone = isSoft && user.deleted_at !== null;
  const deleting = isSoft ? softDeleteUser(id, context.now()) : [deleteUser(id)];
  await tx.commit([
    ...(isDone ? [] : deleting),
    ...writeAudit(context, request, [auditEntry(admin, 'user_deleted', traits)]),
  ]);
}
