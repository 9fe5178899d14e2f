/** Whether a user was sent a message of a kind so lately that the next one has to wait. */
import type { AuthContext } from '../context.ts';
import type { MessageChannel } from '../contracts/rate-limits.ts';
import { tooSoon } from '../rate-limit/refusals.ts';

/** For requests that must not tell whether there is an account: they then send nothing and say nothing. */
export function wasSentLately(
  sentAt: Date | null,
  channel: MessageChannel,
  context: SpacingContext,
): boolean {
  return waitingMs(sentAt, channel, context) > 0;
}

/** For people who are signed in. Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`. */
export function requireNotSentLately(
  sentAt: Date | null,
  channel: MessageChannel,
  context: SpacingContext,
): void {
  const left = waitingMs(sentAt, channel, context);
  if (left > 0) throw tooSoon(channel, left);
}

type SpacingContext = Pick<AuthContext, 'config' | 'now'>;

function waitingMs(sentAt: Date | null, channel: MessageChannel, { config, now }: SpacingContext): number {
  if (sentAt === null) return 0;
  return sentAt.getTime() + config.codes[channel].spacingMs - now().getTime();
}
