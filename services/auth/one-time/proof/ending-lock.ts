/**
 * Locks for the end of an account's access. Whatever could give that access back at the same time, a sign-in or a change
 * of the account, waits for the user or the session.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '@greenroom/postgres';
import { failure } from '../../errors.ts';
import { isDatabaseError } from '../../lib/database-error.ts';
import { lockUser } from '../statements.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const RETRY_FOR_MS = 5000;
const RETRY_MIN_MS = 10;
const RETRY_SPREAD_MS = 20;

/**
 * Locks a user and then the user's sessions. Elsewhere sessions come first, so a session that another transaction holds
 * fails the statement instead of waiting, which could deadlock: see {@link retryWhileLocked}.
 */
export function lockForEnding(userId: string): Statement[] {
  return [
    lockUser(userId),
    {
      name: 'auth_lock_sessions_for_ending',
      text: 'select id from auth.sessions where user_id = $1 for update nowait',
      values: [userId],
    },
  ];
}

/** Runs a transaction again while another one holds what it must lock; throws `conflict` after five seconds. */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseError(error) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      if (performance.now() > giveUpAt) throw failure('conflict', { cause: error });
    }
    await sleep(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS);
  }
}
