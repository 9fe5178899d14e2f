/** Whether a stored token may still be used. */
import type { AuthContext } from '../context.ts';
import type { HeldToken } from './statements.ts';
import { TOKEN_KINDS } from './token-kind.ts';

/** Whether a token is neither too old nor taken back: a blank column of the user's row takes it back. */
export function isPending(
  held: HeldToken,
  channel: 'email' | 'phone',
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
): boolean {
  const { token, sentAt } = TOKEN_KINDS[held.kind];
  const sent = held[sentAt];
  return (
    Boolean(held[token]) &&
    sent !== null &&
    now().getTime() <= sent.getTime() + config.codes[channel].lifetimeMs
  );
}
