/** DELETE /factors/:factorId: deletes a second factor. Sessions that used it fall back to aal1. */

import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { notifyFactorUnenrolled } from '../mail/notify.ts';
import { downgradeSessions, downgradeSessionsWithoutFactor, lockSessions } from '../session/elevate.ts';
import { hasUsedTwoFactors } from '../session/session.ts';
import { factorOfPath, requireFactorCaller } from './caller.ts';

/** Deletes a factor. For a verified factor, throws `insufficient_aal` unless the session used a second factor. */
export async function unenrollFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireFactorCaller(context, request);
  const factor = factorOfPath(caller, request);
  const isVerified = factor.status === 'verified';
  if (isVerified && !hasUsedTwoFactors(caller.session)) {
    throw failure('insufficient_aal', { status: 422, message: 'AAL2 required to unenroll verified factor' });
  }
  const traits = { factor_id: factor.id, factor_status: factor.status, session_id: caller.session.id };
  await context.database.batch([
    lockSessions(caller.user.id),
    ...downgradeSessions(factor.id, context.now()),
    {
      name: 'auth_delete_factor',
      text: 'delete from auth.mfa_factors where id = $1 and user_id = $2',
      values: [factor.id, caller.user.id],
    },
    downgradeSessionsWithoutFactor(caller.user.id, context.now()),
    ...(isVerified ? await notifyFactorUnenrolled(context, caller.user, factor.factor_type) : []),
    ...writeAudit(context, request, [auditEntry(caller.user, 'factor_unenrolled', traits)]),
  ]);
  context.outbox.wake();
  return { status: 200, body: { id: factor.id } };
}
