/**
 * Hashes passwords with bcrypt on libuv's threads, so that the event loop stays free. Also verifies hashes of argon2
 * and of Firebase that an admin has imported. The library is loaded with the first password.
 */

import type { PasswordHasher } from '../../contracts/passwords.ts';
import type { ClientKeyReader } from '../../contracts/rate-limits.ts';
import { isArgon2, matchesArgon2 } from './argon2.ts';
import { isFirebaseScrypt, matchesFirebaseScrypt } from './firebase-scrypt.ts';
import { createHashQueue, type HashQueue } from './hash-queue.ts';
import { isTooLong } from './strength.ts';

/** bcrypt cost: 2^cost rounds. Equal to GoTrue's, so that hashes can be moved in both directions. */
const COST = 10;
/** bcrypt's minimum cost, for tests that are not about passwords. No setting can select it. */
export const QUICK_COST = 4;

/** Salt and digest of a random password that was discarded. */
const DUMMY = '86l1imzCBniUiPnyklHHbuFEGMOfzOXbnyAxbjLi5GmeUR0uDyHUa';

/** Options of {@link createPasswordHasher}. */
interface PasswordHasherOptions {
  /** bcrypt cost of new hashes. Hashes with the default cost can always be verified. */
  cost?: number | undefined;
  /** Returns the rate-limit keys of a client; by default there are no limits per client. */
  keysOf?: ClientKeyReader;
  queue?: HashQueue;
}

/** Creates a password hasher. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { cost = COST, keysOf = () => [], queue = createHashQueue() } = options;
  // Verified if there is no account or no password. Neither the response nor its duration reveals which addresses have
  // an account.
  const dummyHash = `$2a$${String(cost).padStart(2, '0')}$${DUMMY}`;
  // Imported hashes are verified on a second thread. Only one runs at a time, so that a thread stays free.
  const foreignQueue = createHashQueue({
    max: 1,
    maxPerClient: 1,
    maxWaiting: Infinity,
    maxWaitingPerClient: 1,
  });

  async function check(password: string, stored: string | null | undefined): Promise<boolean> {
    const { verify } = await import('@node-rs/bcrypt');
    const foreign = stored ? foreignMatcher(stored) : undefined;
    if (stored && foreign !== undefined) {
      const checked = foreignQueue([], () => foreign(password, stored));
      const [isMatch] = await Promise.all([checked, verify(password, dummyHash)]);
      return isMatch;
    }
    const isMatch = await verify(password, stored || dummyHash);
    return isMatch && Boolean(stored) && !isTooLong(password);
  }

  function needsRehash(password: string, stored: string | null): boolean {
    if (!stored || isTooLong(password)) return false;
    const storedCost = bcryptCost(stored);
    return storedCost < cost || storedCost === Infinity;
  }

  return {
    hash: (password, client) =>
      queue(keysOf(client), async () => {
        const { hash } = await import('@node-rs/bcrypt');
        return hash(password, { cost, version: '2a' });
      }),
    matches: (password, stored, client) => queue(keysOf(client), () => check(password, stored)),
    needsRehash,
  };
}

/** Each step of the cost doubles the work. A hash with this cost takes seconds. */
const MAX_FOREIGN_COST = 15;
const BCRYPT = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;
/** Size of the column `users.encrypted_password`. */
const MAX_HASH_LENGTH = 255;

/** Whether {@link PasswordHasher.matches} can verify an imported hash at an acceptable cost. */
export function isKnownHash(stored: string): boolean {
  if (stored.length > MAX_HASH_LENGTH) return false;
  return bcryptCost(stored) <= MAX_FOREIGN_COST || isArgon2(stored) || isFirebaseScrypt(stored);
}

function foreignMatcher(stored: string) {
  if (isArgon2(stored)) return matchesArgon2;
  return isFirebaseScrypt(stored) ? matchesFirebaseScrypt : undefined;
}

/** The cost of a bcrypt hash; Infinity for other formats. */
function bcryptCost(stored: string): number {
  return Number(BCRYPT.exec(stored)?.[1] ?? Infinity);
}
