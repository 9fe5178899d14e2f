/**
 * Passwords at rest: bcrypt, computed on libuv's threads so that the event loop stays free. Hashes of argon2 and of
 * Firebase, which an admin may bring from elsewhere, are read, too.
 */

import { hash, verify } from '@node-rs/bcrypt';
import type { PasswordHasher } from '../../contracts/passwords.ts';
import type { ClientKeyReader } from '../../contracts/rate-limits.ts';
import { isArgon2, matchesArgon2 } from './argon2.ts';
import { isFirebaseScrypt, matchesFirebaseScrypt } from './firebase-scrypt.ts';
import { createHashQueue, type HashQueue } from './hash-queue.ts';
import { isTooLong } from './strength.ts';

/** Work factor: 2^cost rounds. GoTrue's, so that hashes can move in both directions. */
const COST = 10;
/** The least that bcrypt knows, for tests that are about something else than passwords. No setting leads here. */
export const QUICK_COST = 4;

/** Salt and digest of a password that nobody knows. */
const DUMMY = '86l1imzCBniUiPnyklHHbuFEGMOfzOXbnyAxbjLi5GmeUR0uDyHUa';

/** Options of {@link createPasswordHasher}. */
interface PasswordHasherOptions {
  /** Work factor of new hashes; with another one than the usual, hashes of the usual one are read as well. */
  cost?: number | undefined;
  /** The keys that a client is counted under; not counted per client where not given. */
  keysOf?: ClientKeyReader;
  queue?: HashQueue;
}

/** Creates a hasher. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { cost = COST, keysOf = () => [], queue = createHashQueue() } = options;
  // Checked where there is no account or no password, so that neither the answer nor the time it takes says which
  // addresses have one.
  const dummyHash = `$2a$${String(cost).padStart(2, '0')}$${DUMMY}`;
  // A foreign hash is checked on a second thread. One at a time, so that a thread stays free.
  const foreignQueue = createHashQueue({
    max: 1,
    maxPerClient: 1,
    maxWaiting: Infinity,
    maxWaitingPerClient: 1,
  });

  async function check(password: string, stored: string | null | undefined): Promise<boolean> {
    const foreign = stored ? foreignMatcher(stored) : undefined;
    if (stored && foreign !== undefined) {
      const checked = foreignQueue([], () => foreign(password, stored));
      const [isRight] = await Promise.all([checked, verify(password, dummyHash)]);
      return isRight;
    }
    const isRight = await verify(password, stored || dummyHash);
    return isRight && Boolean(stored) && !isTooLong(password);
  }

  function needsRehash(password: string, stored: string | null): boolean {
    if (!stored || isTooLong(password)) return false;
    const storedCost = bcryptCost(stored);
    return storedCost < cost || storedCost === Infinity;
  }

  return {
    hash: (password, client) => queue(keysOf(client), () => hash(password, { cost, version: '2a' })),
    matches: (password, stored, client) => queue(keysOf(client), () => check(password, stored)),
    needsRehash,
  };
}

/** Each step of the cost doubles the work; this many take seconds. */
const MAX_FOREIGN_COST = 15;
const BCRYPT = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;
/** Of `users.encrypted_password`. */
const MAX_HASH_LENGTH = 255;

/** Whether {@link PasswordHasher.matches} can read a hash that was made elsewhere, without too much work. */
export function isKnownHash(stored: string): boolean {
  if (stored.length > MAX_HASH_LENGTH) return false;
  return bcryptCost(stored) <= MAX_FOREIGN_COST || isArgon2(stored) || isFirebaseScrypt(stored);
}

function foreignMatcher(stored: string) {
  if (isArgon2(stored)) return matchesArgon2;
  return isFirebaseScrypt(stored) ? matchesFirebaseScrypt : undefined;
}

/** Infinite where it is no hash of bcrypt. */
function bcryptCost(stored: string): number {
  return Number(BCRYPT.exec(stored)?.[1] ?? Infinity);
}
