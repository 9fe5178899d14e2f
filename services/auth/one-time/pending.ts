import type { AuthContext } from '../context.ts';
import type { LockedToken } from './statements.ts';
import { TOKEN_KINDS } from './token-kind.ts';

/** Whether a token has neither expired nor been revoked. An empty column in the user's row revokes it. */
export function isPending(
  locked: LockedToken,
  channel: 'email' | 'phone',
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
): boolean {
  const { token, sentAt } = TOKEN_KINDS[locked.kind];
  const sent = locked[sentAt];
  return (
    Boolean(locked[token]) &&
    sent !== null &&
    now().getTime() <= sent.getTime() + config.codes[channel].lifetimeMs
  );
}
