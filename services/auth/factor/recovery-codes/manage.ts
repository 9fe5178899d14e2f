/**
 * GET and POST /factors/recovery-codes: returns the number of unused codes, or creates ten new codes, which are only
 * returned once. GoTrue has no such endpoints.
 */

import { auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { isSessionEndedError, requireSecondFactor, requireSessionInBatch } from '../../session/caller.ts';
import { hasVerifiedFactor } from '../../user/user.ts';
import { requireFactorCaller } from '../caller.ts';
import { hashRecoveryCode, RECOVERY_CODES, randomRecoveryCode } from './code.ts';
import { findRecoveryCodes, type RecoveryCodesRow, replaceRecoveryCodes } from './statements.ts';

/** Responds with `{total, remaining, created_at}`, never with codes. */
export async function showRecoveryCodes(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireFactorCaller(context, request);
  const [row] = await context.database.query<RecoveryCodesRow>(findRecoveryCodes(user.id));
  return {
    status: 200,
    body: { total: RECOVERY_CODES, remaining: row?.remaining ?? 0, created_at: row?.created_at ?? null },
  };
}

/**
 * Replaces all codes of the user by ten new ones and responds with `{codes}`. Throws `insufficient_aal` (403), or
 * `mfa_factor_not_found` (422) if the user has no verified factor.
 */
export async function createRecoveryCodes(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireFactorCaller(context, request);
  const { user } = caller;
  const now = context.now();
  context.limits.check('factor', request, now, user.id);
  if (!hasVerifiedFactor(user)) throw factorNotFound();
  requireSecondFactor(caller, 403, 'AAL2 required to create recovery codes');
  const key = context.keys.derive('recovery-codes');
  const codes = Array.from({ length: RECOVERY_CODES }, randomRecoveryCode);
  const hashes = codes.map((code) => hashRecoveryCode(code, user.id, key) ?? '');
  const guards = requireSessionInBatch(caller);
  const results = await context.database
    .batch([
      ...guards,
      replaceRecoveryCodes(user.id, hashes, now),
      ...writeAudit(context, request, [auditEntry(user, 'recovery_codes_created')]),
    ])
    .catch((error: unknown) => {
      throw isSessionEndedError(error) ? failure('session_not_found') : error;
    });
  if (results[guards.length]?.length === 0) throw factorNotFound();
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: { codes } };
}

function factorNotFound() {
  return failure('mfa_factor_not_found', {
    status: 422,
    message: 'Recovery codes require a verified second factor',
  });
}
