/**
 * Which requests are limited, by what key. Two kinds:
 * - by the header that GOTRUE_RATE_LIMIT_HEADER names, as GoTrue does; without that setting these do nothing;
 * - where it is unset, refused guesses by client address, because then nothing in front of us may be
 *   limiting.
 */
import type { AuthConfig } from '@greenroom/config';
import {
  type BucketRule,
  type ClientBuckets,
  clientKeys,
  createClientBuckets,
  createTokenBuckets,
  type TokenBuckets,
} from '@greenroom/limits';
import type { AuthRequest } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { createSpacing } from './spacing.ts';

const MINUTE = 60;
const FIVE_MINUTES = 300;
const HOUR = 3600;
/** GoTrue's: however slowly a bucket fills, so much may come at once. */
const BURST = 30;

/** The operations that are limited, each by buckets of its own. */
export type LimitedOperation =
  | 'signup'
  | 'anonymous'
  | 'token'
  | 'user'
  | 'otp'
  | 'magiclink'
  | 'recover'
  | 'resend'
  | 'verify'
  | 'factor'
  | 'passkey'
  | 'web3'
  | 'oauthClient'
  | 'sso'
  | 'assertion';

/** What messages are counted by. */
export type MessageChannel = 'email' | 'phone';

/** Wrong codes for one address, whoever sends them: a code has only so many digits. */
const CODE_GUESSES: BucketRule = { perSecond: 10 / HOUR, burst: 10 };

/** The limits of one service instance. */
export interface RateLimits {
  /** Counts a request. Throws `over_request_rate_limit`. */
  check(operation: LimitedOperation, request: AuthRequest, now: Date): void;
  /**
   * Runs what may be a guess. While `isGuess` says of its error that it was one, its client's chances shrink;
   * when they are used up, throws `over_request_rate_limit` without running it.
   */
  guard<T>(
    request: AuthRequest,
    now: Date,
    guess: () => Promise<T>,
    isGuess: (error: unknown) => boolean,
  ): Promise<T>;
  /** As {@link guard}, by the address that a code was sent to. */
  guardCode<T>(
    address: string,
    now: Date,
    guess: () => Promise<T>,
    isGuess: (error: unknown) => boolean,
  ): Promise<T>;
  /**
   * Makes sure that messages of a kind do not come too soon after each other, whether or not the recipient has an
   * account. Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`.
   */
  space(channel: MessageChannel, kind: string, recipient: string, now: Date): void;
  /** Counts a message that is about to be sent. Throws as {@link space}. */
  countMessage(channel: MessageChannel, now: Date): void;
}

/** What limits are made of. */
export type LimitSettings = Pick<
  AuthConfig,
  'rateLimits' | 'codes' | 'autoconfirm' | 'factors' | 'passkeys' | 'oauthServer' | 'saml'
>;

/** Creates limits with full buckets. */
export function createRateLimits({
  rateLimits: config,
  codes,
  autoconfirm,
  factors,
  passkeys,
  oauthServer,
  saml,
}: LimitSettings): RateLimits {
  const buckets: Record<LimitedOperation, ClientBuckets> = {
    signup: createClientBuckets(per(config.otp, FIVE_MINUTES)),
    anonymous: createClientBuckets({
      perSecond: config.anonymousUsers / HOUR,
      burst: Math.floor(config.anonymousUsers),
    }),
    token: createClientBuckets(per(config.tokenRefresh, FIVE_MINUTES)),
    user: createClientBuckets(per(config.otp, FIVE_MINUTES)),
    otp: createClientBuckets(per(config.otp, FIVE_MINUTES)),
    magiclink: createClientBuckets(per(config.otp, FIVE_MINUTES)),
    recover: createClientBuckets(per(config.otp, FIVE_MINUTES)),
    resend: createClientBuckets(per(config.otp, FIVE_MINUTES)),
    verify: createClientBuckets(per(config.verify, FIVE_MINUTES)),
    factor: createClientBuckets(per(factors.attempts, MINUTE)),
    passkey: createClientBuckets(per(passkeys.attempts, FIVE_MINUTES)),
    web3: createClientBuckets(per(config.web3, FIVE_MINUTES)),
    oauthClient: createClientBuckets(per(oauthServer.registrations, FIVE_MINUTES)),
    sso: createClientBuckets(per(saml.signIns, FIVE_MINUTES)),
    assertion: createClientBuckets(per(saml.assertions, FIVE_MINUTES)),
  };
  const guesses = createClientBuckets(per(config.failedSignIns, FIVE_MINUTES));
  const codeGuesses = createClientBuckets(CODE_GUESSES);
  const spacing = createSpacing();
  const messages: Record<MessageChannel, TokenBuckets> = {
    email: createTokenBuckets(hourly(codes.email.perHour)),
    phone: createTokenBuckets(hourly(codes.phone.perHour)),
  };

  return {
    check(operation, request, now) {
      const keys = headerKeys(request, config.header) ?? addressKeys(operation, request, config);
      if (buckets[operation].take(keys, now.getTime())) return;
      throw failure('over_request_rate_limit');
    },
    async guard(request, now, guess, isGuess) {
      if (!countsGuesses(request, config)) return guess();
      return limitGuesses(guesses, clientKeys({ address: request.address }), now, guess, isGuess);
    },
    guardCode: (address, now, guess, isGuess) => limitGuesses(codeGuesses, [address], now, guess, isGuess),
    space(channel, kind, recipient, now) {
      const left = spacing.use(`${kind} ${recipient}`, codes[channel].spacingMs, now.getTime());
      if (left > 0) throw tooSoon(channel, left);
    },
    countMessage(channel, now) {
      if (autoconfirm[channel] || messages[channel].take('all', now.getTime())) return;
      throw failure(tooMany(channel), {
        message: `${channel === 'email' ? 'email' : 'SMS'} rate limit exceeded`,
      });
    },
  };
}

/**
 * Taken before and given back after: otherwise any number of parallel guesses would pass a full bucket.
 */
async function limitGuesses<T>(
  buckets: ClientBuckets,
  keys: readonly string[],
  now: Date,
  guess: () => Promise<T>,
  isGuess: (error: unknown) => boolean,
): Promise<T> {
  if (!buckets.take(keys, now.getTime())) throw failure('over_request_rate_limit');
  let failed = false;
  try {
    return await guess();
  } catch (error) {
    failed = isGuess(error);
    throw error;
  } finally {
    if (!failed) buckets.giveBack(keys, now.getTime());
  }
}

/** The refusal of a message that comes too soon. @param leftMs until the next one may */
export function tooSoon(channel: MessageChannel, leftMs: number) {
  const seconds = Math.ceil(leftMs / 1000);
  const message = `For security purposes, you can only request this after ${seconds} seconds.`;
  return failure(tooMany(channel), { message });
}

function tooMany(channel: MessageChannel) {
  return channel === 'email' ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit';
}

function hourly(count: number): BucketRule {
  return { perSecond: count / HOUR, burst: Math.floor(count) };
}

function per(count: number, seconds: number): BucketRule {
  return { perSecond: count / seconds, burst: BURST };
}

/** The first item of the header; undefined where the header is not used or empty. */
function headerKeys(request: AuthRequest, header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  const key = request.header(header)?.split(',', 1)[0]?.trim();
  return key ? [key] : undefined;
}

/** Registrations of applications need no account and each makes a row, so they are always counted by client. */
function addressKeys(
  operation: LimitedOperation,
  { address, isCounted }: AuthRequest,
  { header }: AuthConfig['rateLimits'],
): readonly string[] {
  if (operation !== 'oauthClient' || header !== undefined || !isCounted) return [];
  return clientKeys({ address });
}

function countsGuesses({ isCounted }: AuthRequest, config: AuthConfig['rateLimits']): boolean {
  return config.header === undefined && config.failedSignIns > 0 && isCounted;
}
