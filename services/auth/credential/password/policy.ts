/** Applies the password rules, including the check for leaked passwords. */
import type { AuthContext } from '../../context.ts';
import type { Weakness } from '../../contracts/passwords.ts';
import { failure } from '../../errors.ts';
import { isTooLong, MAX_PASSWORD_BYTES, weaknessOf } from './strength.ts';

type PolicyContext = Pick<AuthContext, 'config' | 'isLeaked'>;

/**
 * Checks a new password. Throws `validation_failed` if it is too long, or `weak_password` with the reasons. If the leak
 * check fails, the password passes, unless `failClosed` is set: then throws `unexpected_failure`.
 */
export async function requireStrongPassword(password: string, context: PolicyContext): Promise<void> {
  if (isTooLong(password)) {
    const message = `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`;
    throw failure('validation_failed', { message });
  }
  const { leaks } = context.config.password;
  const isLeaked = await context.isLeaked(password).catch((cause: unknown) => {
    if (!leaks?.failClosed) return false;
    const message = 'Unable to check whether the password was leaked. Try again in a moment.';
    throw failure('unexpected_failure', { message, cause });
  });
  const weakness = weaknessOf(password, { ...context.config.password, isLeaked });
  if (weakness === undefined) return;
  const { message, reasons } = weakness;
  throw failure('weak_password', { message, extra: { weak_password: { reasons } } });
}

/** The weakness of a password that was used to sign in, for the response. Never rejects. */
export async function weaknessOnSignIn(
  password: string,
  context: PolicyContext,
): Promise<Weakness | undefined> {
  const isLeaked = await context.isLeaked(password).catch(() => false);
  return weaknessOf(password, { ...context.config.password, isLeaked });
}
