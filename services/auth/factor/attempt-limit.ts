/**
 * Limits failed attempts at second factors. A code has only six digits, so failed attempts are counted in the rows of
 * the challenge and the factor: the limit applies to all clients and nodes, and across restarts.
 */
import type { Statement } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { MAX_FAILURES } from '../one-time/attempt.ts';
import type { LockedChallenge } from './challenges.ts';

/** failed attempts that a factor accepts in a burst. */
const BURST = 10;
/** Decay of the count per millisecond: ten failed attempts per hour. */
const DECAY_PER_MS = 10 / 3_600_000;

type Counts = Pick<LockedChallenge, 'factor_failures' | 'factor_failed_at'>;

/** The current count of failed attempts for a factor, after decay. */
export function countedFailures({ factor_failures, factor_failed_at }: Counts, now: Date): number {
  const elapsedMs = factor_failed_at === null ? 0 : Math.max(0, now.getTime() - factor_failed_at.getTime());
  return Math.max(0, factor_failures - elapsedMs * DECAY_PER_MS);
}

/** Throws `over_request_rate_limit` if a factor had too many failed attempts. */
export function requireAttemptsLeft(challenge: Counts, now: Date): void {
  if (countedFailures(challenge, now) + 1 > BURST)
    throw failure('over_request_rate_limit', { limit: 'factor guesses' });
}

/** Whether a challenge had too many failed attempts, so that its code is no longer accepted. */
export function isVoid({ failures }: Pick<LockedChallenge, 'failures'>): boolean {
  return failures >= MAX_FAILURES;
}

/** Counts a failed attempt at a locked challenge. */
export function countFailure(challenge: LockedChallenge, factorId: string, now: Date): Statement {
  return {
    name: 'auth_count_wrong_answer',
    text: `with counted as (update auth.mfa_challenges set failures = failures + 1 where id = $1)
      update auth.mfa_factors set failures = $3, failed_at = $4 where id = $2`,
    values: [challenge.id, factorId, countedFailures(challenge, now) + 1, now],
  };
}
