/**
 * Decides which account an identity belongs to (GoTrue's rules, models/linking.go): its owner, otherwise the
 * only account with an address that the provider has verified, otherwise a new account.
 */
import type { ProfileEmail } from './profile.ts';

/** An account that has one of the addresses. */
export interface AccountWithAddress {
  id: string;
  /** Whether one of its identities has the address; otherwise the address is only the account's own. */
  byIdentity: boolean;
}

type LinkingDecision =
  | { outcome: 'exists'; userId: string }
  | { outcome: 'link'; userId: string }
  | { outcome: 'create'; email: ProfileEmail | undefined }
  /** Several accounts have the addresses of the profile. */
  | { outcome: 'ambiguous' };

/** Returns the addresses that identify accounts: those verified by the provider, in lower case. */
export function verifiedAddresses(emails: readonly ProfileEmail[]): string[] {
  return emails.filter(({ isVerified }) => isVerified).map(({ address }) => address.toLowerCase());
}

/** Returns the address for a new account: the primary one, otherwise the first. */
export function candidateEmail(emails: readonly ProfileEmail[]): ProfileEmail | undefined {
  const candidate = emails.find(({ isPrimary }) => isPrimary) ?? emails[0];
  return candidate && { ...candidate, address: candidate.address.toLowerCase() };
}

/**
 * Decides which account an identity belongs to.
 * @param owner id of the user who already has the identity
 * @param accounts accounts with one of the {@link verifiedAddresses}
 * @param isTaken whether an account has the candidate address, verified or not
 */
export function decideLinking(
  emails: readonly ProfileEmail[],
  owner: string | undefined,
  accounts: readonly AccountWithAddress[],
  isTaken: boolean,
): LinkingDecision {
  if (owner !== undefined) return { outcome: 'exists', userId: owner };
  const byIdentity = accounts.filter((account) => account.byIdentity);
  const candidates = new Set((byIdentity.length > 0 ? byIdentity : accounts).map(({ id }) => id));
  if (candidates.size > 1) return { outcome: 'ambiguous' };
  const [userId] = candidates;
  if (userId !== undefined) return { outcome: 'link', userId };
  const email = candidateEmail(emails);
  // Another account has the address and the provider has not verified it for this user, so the new account gets
  // no address.
  return { outcome: 'create', email: isTaken ? undefined : email };
}
