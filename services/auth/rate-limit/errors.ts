/** Errors of rate limits. Their header `Retry-After` has the time until a retry can succeed. */

import type { CatalogueError } from '@greenroom/errors';
import type { MessageChannel } from '../contracts/rate-limits.ts';
import { failure } from '../errors.ts';

/**
 * Too many requests.
 * @param limit name of the limit in metrics
 * @param waitMs time until the next request is accepted; Infinity: never
 */
export function tooManyRequests(limit: string, waitMs: number): CatalogueError {
  return failure('over_request_rate_limit', { limit, headers: retryAfter(waitMs) });
}

/**
 * Too many messages in an hour.
 * @param waitMs as in {@link tooManyRequests}
 */
export function tooManyMessages(channel: MessageChannel, waitMs: number): CatalogueError {
  return failure(codeOf(channel), { limit: `${channel} messages`, headers: retryAfter(waitMs) });
}

/**
 * Too little time since the last message.
 * @param waitMs as in {@link tooManyRequests}
 */
export function tooSoon(channel: MessageChannel, waitMs: number): CatalogueError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `For security purposes, you can only request this after ${seconds} seconds.`;
  return failure(codeOf(channel), { message, limit: `${channel} spacing`, headers: retryAfter(waitMs) });
}

function codeOf(channel: MessageChannel) {
  return channel === 'email' ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit';
}

/** RFC 9110 §10.2.3: whole seconds. */
function retryAfter(waitMs: number): Record<string, string> {
  if (!Number.isFinite(waitMs)) return {};
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}
