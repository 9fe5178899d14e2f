/**
 * The rate limits of the service. Requests count per account if the user is signed in, else per client address. If
 * GOTRUE_RATE_LIMIT_HEADER is set, they count only by that header; see client.ts.
 */

import { type BucketRule, createClientBuckets } from '@greenroom/limits';
import type { MessageChannel, RateLimits } from '../contracts/rate-limits.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { createClientKeyReader } from './client.ts';
import { tooManyRequests, tooSoon } from './errors.ts';
import { limitGuesses } from './guesses.ts';
import { createMessageCaps } from './message-caps.ts';
import { createOperationBuckets } from './operations.ts';
import { createSpacing } from './spacing.ts';

const FIVE_MINUTES = 300;
const HOUR = 3600;
const GUESS_BURST = 30;
/** Wrong passwords for one account in its own session, from all clients together. */
const PASSWORD_GUESSES: BucketRule = { perSecond: 10 / HOUR, burst: 10 };
/**
 * Rejected requests of one client to the admin API. The burst is large, because the page of an admin may send many
 * requests at once.
 */
const ADMIN_REFUSALS: BucketRule = { perSecond: 60 / FIVE_MINUTES, burst: 100 };

/** Names of the settings of the limits. */
export const LIMIT_SETTINGS = ['rateLimits', 'codes', 'factors', 'passkeys', 'oauthServer', 'saml'] as const;

type LimitSettings = Pick<AuthConfig, (typeof LIMIT_SETTINGS)[number]>;

const KEPT_IN_MAILBOX = { email: false, phone: false };

/**
 * Creates limits with full token buckets.
 * @param isDelivered whether messages of a channel are sent; others are kept in the mailbox and not limited
 */
export function createRateLimits(
  settings: LimitSettings,
  isDelivered: Record<MessageChannel, boolean> = KEPT_IN_MAILBOX,
): RateLimits {
  const { rateLimits: config, codes } = settings;
  const keysOf = createClientKeyReader(config.header);
  const buckets = createOperationBuckets(settings);
  const guesses = createClientBuckets({ perSecond: config.failedSignIns / FIVE_MINUTES, burst: GUESS_BURST });
  const passwordGuesses = createClientBuckets(PASSWORD_GUESSES);
  const adminRefusals = createClientBuckets(ADMIN_REFUSALS);
  const spacing = createSpacing();
  // The header counts requests, as in GoTrue. The proxy that sets it can limit wrong guesses itself.
  const countsGuesses = config.header === undefined && config.failedSignIns > 0;

  const remainingMs = (channel: MessageChannel, kind: string, recipient: string, now: Date) =>
    spacing.use(`${kind} ${recipient}`, codes[channel].spacingMs, now.getTime());

  return {
    messages: createMessageCaps(codes, isDelivered),
    keysOf,
    check(operation, request, now, account) {
      const keys = keysOf(request, account);
      const bucket = buckets[operation];
      if (bucket.take(keys, now.getTime())) return;
      throw tooManyRequests(operation, bucket.waitMs(keys, now.getTime()));
    },
    guard: (request, now, guess, isGuess) =>
      limitGuesses(
        { name: 'sign-in guesses', buckets: guesses },
        countsGuesses ? keysOf(request) : [],
        now,
        guess,
        isGuess,
      ),
    guardPassword: (userId, now, guess, isGuess) =>
      limitGuesses({ name: 'password guesses', buckets: passwordGuesses }, [userId], now, guess, isGuess),
    guardAdmin: (request, now, work, isRefusal) =>
      limitGuesses(
        { name: 'refused admin requests', buckets: adminRefusals },
        keysOf(request),
        now,
        work,
        isRefusal,
      ),
    requireSpacing(channel, kind, recipient, now) {
      const left = remainingMs(channel, kind, recipient, now);
      if (left > 0) throw tooSoon(channel, left);
    },
    hasSpacing: (channel, kind, recipient, now) => remainingMs(channel, kind, recipient, now) === 0,
  };
}
