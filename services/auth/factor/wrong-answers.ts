/**
 * Wrong answers for second factors. A code has six digits, so they are counted in the rows of the challenge and of the
 * factor: for all clients, all nodes, and across restarts.
 */
import type { Statement } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { MAX_FAILURES } from '../one-time/attempt.ts';
import type { HeldChallenge } from './challenges.ts';

/** Wrong answers that a factor takes at once. */
const BURST = 10;
/** Wrong answers per millisecond that are forgotten afterwards: ten in an hour. */
const FORGOTTEN_PER_MS = 10 / 3_600_000;

type Counts = Pick<HeldChallenge, 'factor_failures' | 'factor_failed_at'>;

/** The wrong answers for a factor that still count. Pure. */
export function countedFailures({ factor_failures, factor_failed_at }: Counts, now: Date): number {
  const elapsedMs = factor_failed_at === null ? 0 : Math.max(0, now.getTime() - factor_failed_at.getTime());
  return Math.max(0, factor_failures - elapsedMs * FORGOTTEN_PER_MS);
}

/** Throws `over_request_rate_limit` where a factor had too many wrong answers to try another one. */
export function requireAttemptsLeft(challenge: Counts, now: Date): void {
  if (countedFailures(challenge, now) + 1 > BURST) throw failure('over_request_rate_limit');
}

/** Whether a challenge had too many wrong answers; its code is not compared any more. */
export function isVoid({ failures }: Pick<HeldChallenge, 'failures'>): boolean {
  return failures >= MAX_FAILURES;
}

/** Counts a wrong answer to a challenge that is locked. */
export function countWrongAnswer(challenge: HeldChallenge, factorId: string, now: Date): Statement {
  return {
    name: 'auth_count_wrong_answer',
    text: `with counted as (update auth.mfa_challenges set failures = failures + 1 where id = $1)
      update auth.mfa_factors set failures = $3, failed_at = $4 where id = $2`,
    values: [challenge.id, factorId, countedFailures(challenge, now) + 1, now],
  };
}
