/** Passwords at rest: bcrypt, computed on libuv's threads so that the event loop stays free. */
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

/** Whether a password is the one of `stored`. Without a stored hash the same work is done for nothing. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const matches = await verify(password, stored || DUMMY_HASH);
  return matches && Boolean(stored) && !isTooLong(password);
}
