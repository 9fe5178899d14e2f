/** Passwords, as endpoints see them. */
import type { Client } from './rate-limits.ts';

/** Says whether a password was leaked. Rejects where that cannot be found out in time. */
export type LeakCheck = (password: string) => Promise<boolean>;

/** How a service hashes passwords, and checks them. Both throw `over_request_rate_limit` where too many wait. */
export interface PasswordHasher {
  /** Hashes a new password. It must not be longer than bcrypt reads. @param client whom the work is for */
  hash(password: string, client: Client): Promise<string>;
  /**
   * Whether a password is the one of `stored`. Without a stored hash the same work is done for nothing; with a foreign
   * one bcrypt's runs at the same time, so that the answer takes at least as long as for every other account.
   * @param client whom the work is for
   */
  matches(password: string, stored: string | null | undefined, client: Client): Promise<boolean>;
  /** Whether a password should be hashed anew once it is known to be right: its hash is foreign, or a weak one. */
  needsRehash(password: string, stored: string | null): boolean;
}

/** Why a password is too weak: `reasons` for programs, `message` for people. */
export interface Weakness {
  message: string;
  reasons: ('length' | 'characters' | 'pwned')[];
}
