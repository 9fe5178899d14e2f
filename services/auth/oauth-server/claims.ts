/** What an application gets to know of somebody, by the scopes that it was granted (OpenID Connect Core §5.1, §5.4). */

import type { ProvenAddresses } from '../one-time/proof/statements.ts';
import type { Metadata } from '../user/metadata.ts';
import type { UserRow } from '../user/user.ts';
import type { Scope } from './scopes.ts';

/** Claims; what is undefined is left out. */
type UserClaims = Record<string, string | number | boolean | undefined>;

/**
 * `…_verified` is about addresses that are proven: applications link accounts by them, and autoconfirm or an identity
 * provider of an organisation can confirm an address of anybody.
 */
const CLAIMS: Record<Scope, (user: UserRow, proven: ProvenAddresses) => UserClaims> = {
  openid: () => ({}),
  offline_access: () => ({}),
  email: ({ email, email_confirmed_at }, proven) =>
    email ? { email, email_verified: email_confirmed_at !== null && proven.email } : {},
  phone: ({ phone, phone_confirmed_at }, proven) =>
    phone ? { phone_number: phone, phone_number_verified: phone_confirmed_at !== null && proven.phone } : {},
  // No address in place of a name that is not there: that is another scope.
  profile: ({ raw_user_meta_data: data, updated_at }) => ({
    name: text(data, 'name') ?? text(data, 'full_name'),
    picture: text(data, 'picture') ?? text(data, 'avatar_url'),
    preferred_username: text(data, 'preferred_username') ?? text(data, 'username'),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
};

/** The claims about a user besides `sub`. */
export function userClaims(
  user: UserRow,
  scopes: readonly string[],
  proven: ProvenAddresses = { email: false, phone: false },
): UserClaims {
  const known = scopes.filter((scope) => Object.hasOwn(CLAIMS, scope)) as Scope[];
  return Object.assign({}, ...known.map((scope) => CLAIMS[scope](user, proven)));
}

function text(data: Metadata | null, name: string): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
