/** Hook PASSWORD_VERIFICATION_ATTEMPT: is called for every password of a sign-in and can reject it. */
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { endSessions } from '../user/end-sessions.ts';
import { decisionField, messageField } from './hook.ts';

/** The payload of the hook. */
interface PasswordVerificationAttemptInput {
  user_id: string;
  /** Whether the password was right. */
  valid: boolean;
}

const DEFAULT_MESSAGE = 'Further password verification attempts will be rejected.';

const output = z.object({
  decision: decisionField,
  message: messageField,
  should_logout_user: z.boolean().nullish(),
});

const hook: Hook<z.output<typeof output>> = {
  name: 'passwordVerificationAttempt',
  payloadName: 'password-verification',
  output,
};

/**
 * Calls the hook. Without an attempt (there is no user), only waits as long as a call takes. Throws
 * `invalid_credentials` with the hook's message if it rejects, or a `HookFailure` if the call fails.
 */
export async function checkPasswordAttempt(
  { hooks, database }: AuthContext,
  request: AuthRequest,
  attempt: PasswordVerificationAttemptInput | undefined,
): Promise<void> {
  if (!hooks.isSet(hook.name)) return;
  if (attempt === undefined) return hooks.simulateLatency(hook.name);
  const { decision, message, should_logout_user: endsSessions } = await hooks.call(hook, attempt, request);
  if (decision !== 'reject') return;
  if (endsSessions) await database.query(endSessions('global', attempt.user_id, undefined));
  throw failure('invalid_credentials', { message: message || DEFAULT_MESSAGE });
}
