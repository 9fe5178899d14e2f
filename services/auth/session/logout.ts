/** POST /logout: ends sessions of the caller. */

import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { endSessions, type SessionScope } from '../user/end-sessions.ts';
import {
  applicationNotAllowed,
  impersonatorNotAllowed,
  isApplication,
  requireCallerOrApplication,
} from './caller.ts';
import { isImpersonation } from './session.ts';

/**
 * Ends the sessions that query parameter `scope` selects, by default all. An application may only end its own
 * session.
 */
export async function logout(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCallerOrApplication(context, request);
  const { user, session } = caller;
  const scope = readScope(request.query.get('scope') ?? '');
  // For a token without a session, every scope means all sessions.
  if (isApplication(caller) && (scope !== 'local' || session === undefined)) throw applicationNotAllowed();
  if (isImpersonation(session) && scope !== 'local') throw impersonatorNotAllowed();
  await context.database.batch([
    endSessions(scope, user.id, session?.id),
    ...writeAudit(context, request, [auditEntry(user, 'logout')]),
  ]);
  return { status: 204 };
}

function readScope(text: string): SessionScope {
  if (text === '') return 'global';
  if (text === 'global' || text === 'local' || text === 'others') return text;
  throw failure('validation_failed', { message: `Unsupported logout scope ${JSON.stringify(text)}` });
}
