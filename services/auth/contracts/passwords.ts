/** The interfaces of password checks for endpoints. */
import type { Client } from './rate-limits.ts';

/** Returns whether a password is known to have been leaked. Rejects if the list of leaks is not available in time. */
export type LeakCheck = (password: string) => Promise<boolean>;

/** Hashes and verifies passwords. Both methods throw `over_request_rate_limit` if too many calls are waiting. */
export interface PasswordHasher {
  /**
   * Hashes a new password. It must not be longer than bcrypt's limit.
   * @param client the client whose queue limits apply
   */
  hash(password: string, client: Client): Promise<string>;
  /**
   * Returns whether a password matches the hash `stored`. The call takes the same time for every account: without a
   * hash it verifies a dummy hash, and with an imported one (argon2, Firebase) it verifies the dummy bcrypt hash at the
   * same time.
   * @param client the client whose queue limits apply
   */
  matches(password: string, stored: string | null | undefined, client: Client): Promise<boolean>;
  /**
   * Whether to replace the stored hash after the password was verified, because the hash is imported or has a low cost.
   */
  needsRehash(password: string, stored: string | null): boolean;
}

/** The reasons why a password is too weak: `reasons` for programs, `message` for people. */
export interface Weakness {
  message: string;
  reasons: ('length' | 'characters' | 'pwned')[];
}
