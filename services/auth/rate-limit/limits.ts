/**
 * Which requests are limited, by what key. Two kinds:
 * - by the header that GOTRUE_RATE_LIMIT_HEADER names, as GoTrue does; without that setting these do nothing;
 * - where it is unset, refused guesses by client address, because then nothing in front of us may be
 *   limiting.
 */
import type { AuthConfig } from '@greenroom/config';
import type { AuthRequest } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { isLoopback, networkOf } from './network.ts';
import { type BucketRule, createTokenBuckets, type TokenBuckets } from './token-bucket.ts';

const FIVE_MINUTES = 300;
const HOUR = 3600;
/** GoTrue's: however slowly a bucket fills, so much may come at once. */
const BURST = 30;

/** The operations that are limited, each by buckets of its own. */
export type LimitedOperation = 'signup' | 'anonymous' | 'token' | 'user';

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
}

/** Creates limits with full buckets. */
export function createRateLimits(config: AuthConfig['rateLimits']): RateLimits {
  const buckets: Record<LimitedOperation, TokenBuckets> = {
    signup: createTokenBuckets(per(config.otp, FIVE_MINUTES)),
    anonymous: createTokenBuckets({
      perSecond: config.anonymousUsers / HOUR,
      burst: Math.floor(config.anonymousUsers),
    }),
    token: createTokenBuckets(per(config.tokenRefresh, FIVE_MINUTES)),
    user: createTokenBuckets(per(config.otp, FIVE_MINUTES)),
  };
  const guesses = createTokenBuckets(per(config.failedSignIns, FIVE_MINUTES));

  return {
    check(operation, request, now) {
      const key = headerKey(request, config.header);
      if (key === undefined || buckets[operation].take(key, now.getTime())) return;
      throw failure('over_request_rate_limit');
    },
    async guard(request, now, guess, isGuess) {
      if (!countsGuesses(request, config)) return guess();
      const key = networkOf(request.address);
      // Taken before and given back after: otherwise any number of parallel guesses would pass a full bucket.
      if (!guesses.take(key, now.getTime())) throw failure('over_request_rate_limit');
      let failed = false;
      try {
        return await guess();
      } catch (error) {
        failed = isGuess(error);
        throw error;
      } finally {
        if (!failed) guesses.giveBack(key, now.getTime());
      }
    },
  };
}

function per(count: number, seconds: number): BucketRule {
  return { perSecond: count / seconds, burst: BURST };
}

/** The first item of the header, or undefined where there is nothing to count by. */
function headerKey(request: AuthRequest, header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return request.header(header)?.split(',', 1)[0]?.trim() || undefined;
}

/**
 * From the loopback come the app's own server, tests, and proxies that were not declared: many people at
 * once.
 */
function countsGuesses({ address }: AuthRequest, config: AuthConfig['rateLimits']): boolean {
  return config.header === undefined && config.failedSignIns > 0 && !isLoopback(address);
}
