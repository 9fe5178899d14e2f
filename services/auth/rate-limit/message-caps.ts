/**
 * Hourly limits on messages that are sent: per client, per recipient and in total. Requests count even if they send no
 * message, so that a limit does not reveal whether a recipient has an account.
 */

import {
  type BucketRule,
  type ClientBuckets,
  createClientBuckets,
  createTokenBuckets,
  type TokenBuckets,
} from '@greenroom/limits';
import type { MessageCaps, MessageChannel, RequestedMessage } from '../contracts/rate-limits.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { tooManyMessages } from './errors.ts';

const HOUR = 3600;
const TOTAL = 'total';

interface Buckets {
  client: ClientBuckets;
  recipient: TokenBuckets;
  total: TokenBuckets;
}

/** @param isDelivered whether messages of a channel are sent; others are kept in the mailbox and not limited */
export function createMessageCaps(
  codes: AuthConfig['codes'],
  isDelivered: Record<MessageChannel, boolean>,
): MessageCaps {
  const requests = { email: bucketsOf(codes.email), phone: bucketsOf(codes.phone) };
  const notifications = createTokenBuckets(hourly(codes.email.perRecipientHour));
  // A total of 0 disables a channel, including messages for the mailbox.
  const isCapped = (channel: MessageChannel) => isDelivered[channel] || codes[channel].perHour === 0;

  function takeTotal(channel: MessageChannel, nowMs: number): void {
    const { total } = requests[channel];
    if (!total.take(TOTAL, nowMs)) throw tooManyMessages(channel, total.waitMs(TOTAL, nowMs));
  }

  return {
    count({ channel, recipient, client }, now) {
      if (!isCapped(channel)) return;
      const nowMs = now.getTime();
      const buckets = requests[channel];
      takeClientAndRecipient(buckets, { channel, recipient, client }, nowMs);
      try {
        takeTotal(channel, nowMs);
      } catch (error) {
        buckets.client.refund(client, nowMs);
        buckets.recipient.refund(recipient, nowMs);
        throw error;
      }
    },
    countTotal(channel, now) {
      if (isCapped(channel)) takeTotal(channel, now.getTime());
    },
    allowsNotification(recipient, now) {
      if (codes.email.perHour === 0) return false;
      return !isDelivered.email || notifications.take(recipient, now.getTime());
    },
  };
}

function takeClientAndRecipient(
  buckets: Buckets,
  { channel, recipient, client }: RequestedMessage,
  nowMs: number,
): void {
  if (!buckets.client.take(client, nowMs)) {
    throw tooManyMessages(channel, buckets.client.waitMs(client, nowMs));
  }
  if (buckets.recipient.take(recipient, nowMs)) return;
  buckets.client.refund(client, nowMs);
  throw tooManyMessages(channel, buckets.recipient.waitMs(recipient, nowMs));
}

function bucketsOf(caps: AuthConfig['codes'][MessageChannel]): Buckets {
  return {
    client: createClientBuckets(hourly(caps.perClientHour)),
    recipient: createTokenBuckets(hourly(caps.perRecipientHour)),
    total: createTokenBuckets(hourly(caps.perHour)),
  };
}

function hourly(count: number): BucketRule {
  return { perSecond: count / HOUR, burst: Math.floor(count) };
}
