/** Hook MFA_VERIFICATION_ATTEMPT: is called for every code of a second factor and can reject it. */
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { endSessions } from '../user/end-sessions.ts';
import type { FactorRow } from '../user/factor.ts';
import { decisionField, messageField } from './hook.ts';

/** The payload of the hook. */
interface MfaVerificationAttemptInput {
  user_id: string;
  factor_id: string;
  factor_type: FactorRow['factor_type'];
  /** Whether the code was right. */
  valid: boolean;
}

const output = z.object({ decision: decisionField, message: messageField });

const hook: Hook<z.output<typeof output>> = {
  name: 'mfaVerificationAttempt',
  payloadName: 'mfa-verification',
  output,
};

/**
 * Calls the hook. If it rejects the attempt, ends all sessions of the user and throws `mfa_verification_rejected`.
 * Throws a `HookFailure` if the call fails.
 */
export async function checkMfaAttempt(
  { hooks, database }: AuthContext,
  request: AuthRequest,
  input: MfaVerificationAttemptInput,
): Promise<void> {
  const { decision, message } = await hooks.call(hook, input, request);
  if (decision !== 'reject') return;
  await database.query(endSessions('global', input.user_id, undefined));
  throw failure('mfa_verification_rejected', message === '' ? {} : { message });
}
