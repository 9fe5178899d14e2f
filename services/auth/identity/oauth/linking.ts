/**
 * Whose account an identity belongs to (GoTrue's rules, models/linking.go): whoever has it already, else the one person
 * whose address the provider has verified, else somebody new.
 */
import type { ProfileEmail } from './profile.ts';

/** An account that has one of the addresses. */
export interface AccountWithAddress {
  id: string;
  /** Whether the address is of one of its identities; else it is only the account's own. */
  byIdentity: boolean;
}

/** What is to be done. */
type LinkingDecision =
  | { outcome: 'exists'; userId: string }
  | { outcome: 'link'; userId: string }
  | { outcome: 'create'; email: ProfileEmail | undefined }
  /** Several people have the addresses of one. */
  | { outcome: 'ambiguous' };

/** The addresses by which somebody may be found: those that the provider vouches for, in lower case. */
export function provenAddresses(emails: readonly ProfileEmail[]): string[] {
  return emails.filter(({ isVerified }) => isVerified).map(({ address }) => address.toLowerCase());
}

/** The address that the account gets: the primary one, else the first. */
export function candidateEmail(emails: readonly ProfileEmail[]): ProfileEmail | undefined {
  const candidate = emails.find(({ isPrimary }) => isPrimary) ?? emails[0];
  return candidate && { ...candidate, address: candidate.address.toLowerCase() };
}

/**
 * Decides.
 * @param owner id of the user who has the identity already
 * @param accounts those with one of the {@link provenAddresses}
 * @param isTaken whether somebody has the candidate's address, verified or not
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
  // It is somebody's, and nobody vouches that it is this person's, too: they get an account without it.
  return { outcome: 'create', email: isTaken ? undefined : email };
}
