/** Counts messages that requests ask for, before the account is looked up; see rate-limit/message-caps.ts. */
import type { AuthContext } from '../context.ts';
import type { MessageChannel } from '../contracts/rate-limits.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { testCodeOf } from './test-code.ts';

/** A message that a request asks for. */
interface MessageRequest {
  channel: MessageChannel;
  /** Email address, or phone number as digits. */
  recipient: string;
  /** Id of the signed-in user, if any. The message counts for the account and for the client's address. */
  account?: string;
}

/**
 * Counts a message. Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`. Ignores test numbers, which get
 * no SMS.
 */
export function countMessage(
  context: AuthContext,
  request: AuthRequest,
  { channel, recipient, account }: MessageRequest,
): void {
  if (channel === 'phone' && testCodeOf(recipient, context) !== undefined) return;
  const { messages, keysOf } = context.limits;
  const ofAccount = account === undefined ? [] : keysOf(request, account);
  const client = [...new Set([...keysOf(request), ...ofAccount])];
  messages.count({ channel, recipient, client }, context.now());
}
