/**
 * GET and DELETE /admin/users/:userId/sessions, and DELETE …/sessions/:sessionId: a user's sessions. GoTrue has no
 * such endpoints.
 */

import { createAuditedChange } from '../audit/audited-change.ts';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { requireAdmin } from '../session/caller.ts';
import { endSession, findSessions } from '../session/list.ts';
import { endSessions } from '../user/end-sessions.ts';
import { adminActor, targetUser } from './target-user.ts';

export async function listSessionsAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const { id } = await targetUser(context, request);
  return { status: 200, body: await context.database.query(findSessions(id)) };
}

/** Ends a session: deletes its refresh tokens, and this service rejects its access token. */
export async function endSessionAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const user = await targetUser(context, request);
  const id = uuidParam(request, 'sessionId');
  const traits = { user_id: user.id, session_id: id };
  await createAuditedChange(context.database, {
    change: endSession(id, user.id),
    after: writeAudit(context, request, [auditEntry(adminActor(claims), 'logout', traits)]),
    missing: () => failure('session_not_found', { status: 404, message: 'Session not found' }),
  });
  return { status: 204 };
}

/** Ends all sessions of a user. */
export async function endSessionsAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const user = await targetUser(context, request);
  await context.database.batch([
    endSessions('global', user.id, undefined),
    ...writeAudit(context, request, [auditEntry(adminActor(claims), 'logout', { user_id: user.id })]),
  ]);
  return { status: 204 };
}
