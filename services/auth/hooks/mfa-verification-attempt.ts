/** Hook MFA_VERIFICATION_ATTEMPT: is told of every code of a second factor, and may refuse it. */
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { endSessions } from '../user/end-sessions.ts';
import type { FactorRow } from '../user/factor.ts';
import { decisionField, messageField } from './hook.ts';

/** What the hook reads. */
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
  calledAs: 'mfa-verification',
  output,
};

/**
 * Whether an attempt may go on. Where not, all sessions of the user end. Throws `mfa_verification_rejected` and a
 * `HookFailure`.
 */
export async function judgeMfaAttempt(
  { hooks, database }: AuthContext,
  request: AuthRequest,
  input: MfaVerificationAttemptInput,
): Promise<void> {
  const { decision, message } = await hooks.ask(hook, input, request);
  if (decision !== 'reject') return;
  await database.query(endSessions('global', input.user_id, undefined));
  throw failure('mfa_verification_rejected', message === '' ? {} : { message });
}
