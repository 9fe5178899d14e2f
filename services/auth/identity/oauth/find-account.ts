/** Finds the account that an external profile belongs to. */
import type { Transaction } from '@greenroom/postgres';
import { failure } from '../../errors.ts';
import { findProvenAmong } from '../../one-time/proof/statements.ts';
import { findUserById } from '../../user/find.ts';
import type { UserRow } from '../../user/user.ts';
import type { ExternalProfile } from './external-profile.ts';
import { findAccountsByEmail, findIdentityOwner } from './identity-statements.ts';
import { type AccountWithAddress, decideLinking, verifiedAddresses } from './linking.ts';

/** An existing account that matches the profile. */
interface ExistingAccount {
  user: UserRow;
  /** `link`: the identity has to be added to the account. */
  outcome: 'exists' | 'link';
  /** False if this profile is the first proof of the account's address. */
  isProven: boolean;
}

/** Finds the account of an external profile. Throws `unexpected_failure` if several accounts match its addresses. */
export async function findAccount(
  tx: Transaction,
  { provider, profile, audience }: ExternalProfile,
): Promise<ExistingAccount | undefined> {
  const [owner] = await tx.query<UserRow>(findIdentityOwner(provider, profile.subject));
  const proven = verifiedAddresses(profile.emails);
  if (owner !== undefined) {
    return { user: owner, outcome: 'exists', isProven: await isProven(tx, owner, proven) };
  }
  const accounts = await tx.query<AccountWithAddress>(findAccountsByEmail(proven, audience));
  const decision = decideLinking(profile.emails, undefined, accounts, false);
  if (decision.outcome === 'ambiguous') {
    throw failure('unexpected_failure', { message: 'Multiple accounts with the same email address' });
  }
  if (decision.outcome !== 'link') return undefined;
  const [user] = await tx.query<UserRow>(findUserById(decision.userId));
  return user && { user, outcome: 'link', isProven: await isProven(tx, user, proven) };
}

/** True if the account's address has been proven before, or the profile does not prove it. */
async function isProven(tx: Transaction, user: UserRow, addresses: readonly string[]): Promise<boolean> {
  if (addresses.length === 0) return true;
  const [found] = await tx.query<{ is_proven: boolean }>(findProvenAmong(user.id, addresses));
  return found?.is_proven === true || !addresses.includes(user.email?.toLowerCase() ?? '');
}
