/** Enforces the minimum time between two messages of a kind to a user. */
import type { AuthContext } from '../context.ts';
import type { MessageChannel } from '../contracts/rate-limits.ts';
import { tooSoon } from '../rate-limit/errors.ts';

/**
 * Whether the last message is too recent. For endpoints whose response must not reveal accounts: they skip the message
 * silently.
 */
export function wasSentRecently(
  sentAt: Date | null,
  channel: MessageChannel,
  context: SpacingContext,
): boolean {
  return remainingMs(sentAt, channel, context) > 0;
}

/**
 * Like {@link wasSentRecently}, for endpoints of signed-in users. Throws `over_email_send_rate_limit` or
 * `over_sms_send_rate_limit`.
 */
export function requireNotSentRecently(
  sentAt: Date | null,
  channel: MessageChannel,
  context: SpacingContext,
): void {
  const remaining = remainingMs(sentAt, channel, context);
  if (remaining > 0) throw tooSoon(channel, remaining);
}

type SpacingContext = Pick<AuthContext, 'config' | 'now'>;

function remainingMs(sentAt: Date | null, channel: MessageChannel, { config, now }: SpacingContext): number {
  if (sentAt === null) return 0;
  return sentAt.getTime() + config.codes[channel].spacingMs - now().getTime();
}
