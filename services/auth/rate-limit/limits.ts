/**
 * The limits of the service. Requests are counted by account where a user is signed in, else by client address, or only
 * by the header that GOTRUE_RATE_LIMIT_HEADER names; see client.ts.
 */

import { type BucketRule, createClientBuckets } from '@greenroom/limits';
import type { MessageChannel, RateLimits } from '../contracts/rate-limits.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { createClientKeyReader } from './client.ts';
import { limitGuesses } from './guesses.ts';
import { createMessageCaps } from './message-caps.ts';
import { createOperationBuckets } from './operations.ts';
import { tooManyRequests, tooSoon } from './refusals.ts';
import { createSpacing } from './spacing.ts';

const FIVE_MINUTES = 300;
const HOUR = 3600;
const GUESS_BURST = 30;
/** Wrong passwords for one account in its own session, from all clients together. */
const PASSWORD_GUESSES: BucketRule = { perSecond: 10 / HOUR, burst: 10 };
/** Refused requests of one client to the admin API. An admin's page may send many at once, hence the wide burst. */
const ADMIN_REFUSALS: BucketRule = { perSecond: 60 / FIVE_MINUTES, burst: 100 };

/** What limits are made of. */
type LimitSettings = Pick<
  AuthConfig,
  'rateLimits' | 'codes' | 'factors' | 'passkeys' | 'oauthServer' | 'saml'
>;

const KEPT = { email: false, phone: false };

/**
 * Creates limits with full buckets.
 * @param leaves which messages leave the machine; the others are kept in the mailbox and not capped
 */
export function createRateLimits(
  settings: LimitSettings,
  leaves: Record<MessageChannel, boolean> = KEPT,
): RateLimits {
  const { rateLimits: config, codes } = settings;
  const keysOf = createClientKeyReader(config.header);
  const buckets = createOperationBuckets(settings);
  const guesses = createClientBuckets({ perSecond: config.failedSignIns / FIVE_MINUTES, burst: GUESS_BURST });
  const passwordGuesses = createClientBuckets(PASSWORD_GUESSES);
  const adminRefusals = createClientBuckets(ADMIN_REFUSALS);
  const spacing = createSpacing();
  // A header counts requests as upstream does; the proxy that sets it may count wrong guesses itself.
  const countsGuesses = config.header === undefined && config.failedSignIns > 0;

  const tooSoonBy = (channel: MessageChannel, kind: string, recipient: string, now: Date) =>
    spacing.use(`${kind} ${recipient}`, codes[channel].spacingMs, now.getTime());

  return {
    messages: createMessageCaps(codes, leaves),
    keysOf,
    check(operation, request, now, account) {
      const keys = keysOf(request, account);
      const taken = buckets[operation];
      if (taken.take(keys, now.getTime())) return;
      throw tooManyRequests(taken.waitMs(keys, now.getTime()));
    },
    guard: (request, now, guess, isGuess) =>
      limitGuesses(guesses, countsGuesses ? keysOf(request) : [], now, guess, isGuess),
    guardPassword: (userId, now, guess, isGuess) =>
      limitGuesses(passwordGuesses, [userId], now, guess, isGuess),
    guardAdmin: (request, now, work, isRefusal) =>
      limitGuesses(adminRefusals, keysOf(request), now, work, isRefusal),
    space(channel, kind, recipient, now) {
      const left = tooSoonBy(channel, kind, recipient, now);
      if (left > 0) throw tooSoon(channel, left);
    },
    isSpaced: (channel, kind, recipient, now) => tooSoonBy(channel, kind, recipient, now) === 0,
  };
}
