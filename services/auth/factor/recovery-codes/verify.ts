/**
 * POST /factors/recovery-codes/verify: accepts a recovery code instead of a second factor. Raises the session to aal2,
 * and ends all sessions of the user below aal2. GoTrue has no such endpoint.
 */
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import { auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import {
  type ElevatedSession,
  elevateSession,
  type LockedSession,
  lockSessions,
} from '../../session/elevate.ts';
import { grantWithin } from '../../session/grant.ts';
import { findUserById } from '../../user/find.ts';
import type { UserRow } from '../../user/user.ts';
import { countedFailures, requireAttemptsLeft } from '../attempt-limit.ts';
import { type FactorCaller, requireFactorCaller } from '../caller.ts';
import { hashRecoveryCode } from './code.ts';
import {
  countWrongRecoveryCode,
  lockRecoveryCodes,
  type RecoveryCodesRow,
  useRecoveryCode,
} from './statements.ts';

const fields = z.object({ code: textField });

/**
 * Responds with a session. Throws `validation_failed`, `mfa_verification_failed` for a code that is wrong, used or
 * replaced, or `over_request_rate_limit` after too many of them. The count is in the row, so it applies to all clients
 * and all nodes.
 */
export async function verifyRecoveryCode(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireFactorCaller(context, request);
  context.limits.check('factor', request, context.now(), caller.user.id);
  const { code } = parseBody(request.body, fields);
  if (code === '') throw failure('validation_failed', { message: 'Code needs to be non-empty' });
  return context.hooks.transaction((tx) => verify(tx, context, request, { caller, code }));
}

interface Attempt {
  caller: FactorCaller;
  code: string;
}

async function verify(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { caller: { user, session }, code }: Attempt,
): Promise<AuthResponse> {
  // Locks sessions first, like every transaction.
  const sessions = await tx.query<LockedSession>(lockSessions(user.id));
  const lockedSession = sessions.find(({ id }) => id === session.id);
  if (lockedSession === undefined) throw failure('session_not_found');
  await consumeCode(tx, context, user.id, code);
  const elevation = elevateSession(context, {
    userId: user.id,
    session: lockedSession,
    factorId: null,
    method: 'recovery_code',
  });
  return grantWithin(tx, context, request, {
    statements: [
      ...elevation.statements,
      ...writeAudit(context, request, [auditEntry(user, 'recovery_code_used')]),
      elevation.read,
      findUserById(user.id),
    ],
    grantOf(results) {
      const elevated = results.at(-2)?.[0] as ElevatedSession | undefined;
      const verified = results.at(-1)?.[0] as UserRow | undefined;
      if (elevated === undefined || verified === undefined) throw failure('session_not_found');
      const { created_at: createdAt, amr } = elevated;
      const elevatedSession = { id: session.id, createdAt, amr, isUserVerified: lockedSession.user_verified };
      return { user: verified, session: elevatedSession, refreshToken: elevation.refreshToken };
    },
  });
}

/** Commits the count of a wrong code, which ends the transaction. */
async function consumeCode(
  tx: Transaction,
  context: AuthContext,
  userId: string,
  code: string,
): Promise<void> {
  const now = context.now();
  const [row] = await tx.query<RecoveryCodesRow>(lockRecoveryCodes(userId));
  if (row === undefined) throw wrongCode();
  const counts = { factor_failures: row.failures, factor_failed_at: row.failed_at };
  requireAttemptsLeft(counts, now);
  const hash = hashRecoveryCode(code, userId, context.keys.derive('recovery-codes'));
  const used = hash === undefined ? [] : await tx.query(useRecoveryCode(userId, hash));
  if (used.length > 0) return;
  await tx.commit([countWrongRecoveryCode(userId, countedFailures(counts, now) + 1, now)]);
  throw wrongCode();
}

function wrongCode() {
  return failure('mfa_verification_failed', { message: 'Invalid recovery code entered' });
}
