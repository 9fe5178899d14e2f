/**
 * Passwords at rest: bcrypt, computed on libuv's threads so that the event loop stays free. Hashes of argon2, which an
 * admin may bring from elsewhere, are read, too.
 */
import { verify as verifyArgon2 } from '@node-rs/argon2';
import { hash, verify } from '@node-rs/bcrypt';
import { isTooLong } from './strength.ts';

/** Work factor: 2^cost rounds. GoTrue's, so that hashes can move in both directions. */
const COST = 10;

/**
 * The hash of a password that nobody knows. Checked where there is no account or no password, so that neither
 * the answer nor the time it takes says which addresses have one.
 */
const DUMMY_HASH = '$2a$10$86l1imzCBniUiPnyklHHbuFEGMOfzOXbnyAxbjLi5GmeUR0uDyHUa';

/** Hashes a new password. It must not be longer than bcrypt reads. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { cost: COST, version: '2a' });
}

const BCRYPT = /^\$2[abxy]\$(?:0[4-9]|1\d)\$[./A-Za-z0-9]{53}$/;
/** What is allowed to be computed: more memory or rounds would let one sign-in stop all others. */
const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})(?:,[^$]*)?\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;
const MAX_ARGON2_KIB = 262_144;

/** Whether {@link passwordMatches} can read a hash that was made elsewhere. */
export function isKnownHash(stored: string): boolean {
  if (BCRYPT.test(stored)) return true;
  const memory = Number(ARGON2.exec(stored)?.[1] ?? Infinity);
  return memory <= MAX_ARGON2_KIB && stored.length <= 255;
}

/** Whether a password is the one of `stored`. Without a stored hash the same work is done for nothing. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  if (stored && ARGON2.test(stored)) return verifyArgon2(stored, password);
  const matches = await verify(password, stored || DUMMY_HASH);
  return matches && Boolean(stored) && !isTooLong(password);
}
