/**
 * Locks rows before the access to an account is revoked. A concurrent sign-in or change, which could restore access,
 * waits for the lock on the user or on a session.
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
 * Locks a user and then the user's sessions. Other transactions lock sessions first, so waiting for a session could
 * deadlock. The statement therefore fails if another transaction has locked a session; see {@link retryWhileLocked}.
 */
export function lockForRevocation(userId: string): Statement[] {
  return [
    lockUser(userId),
    {
      name: 'auth_lock_sessions_for_ending',
      text: 'select id from auth.sessions where user_id = $1 for update nowait',
      values: [userId],
    },
  ];
}

/** Retries a transaction while its locks are not available. Throws `conflict` after five seconds. */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseError(error) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      if (performance.now() > deadline) throw failure('conflict', { cause: error });
    }
    await sleep(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS);
  }
}
