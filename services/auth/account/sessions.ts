/**
 * GET /user/sessions and DELETE /user/sessions/:sessionId: lists and ends the caller's sessions. GoTrue has no such
 * endpoints.
 */

import { createAuditedChange } from '../audit/audited-change.ts';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { requireCaller, requireCallerOrImpersonator } from '../session/caller.ts';
import { endSession, findSessions, type ListedSession } from '../session/list.ts';

/** Lists all sessions of the caller. `is_current` marks the session of this request. */
export async function listOwnSessions(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user, session } = await requireCallerOrImpersonator(context, request);
  const sessions = await context.database.query<ListedSession>(findSessions(user.id));
  return { status: 200, body: sessions.map((item) => ({ ...item, is_current: item.id === session?.id })) };
}

/** Ends a session of the caller, which may be the session of this request. Throws `session_not_found` (404). */
export async function endOwnSession(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireCaller(context, request);
  const id = uuidParam(request, 'sessionId');
  await createAuditedChange(context.database, {
    change: endSession(id, user.id),
    after: writeAudit(context, request, [auditEntry(user, 'logout', { session_id: id })]),
    missing: () => failure('session_not_found', { status: 404, message: 'Session not found' }),
  });
  return { status: 204 };
}
