/** User claims that an application receives, by granted scope (OpenID Connect Core §5.1, §5.4). */

import type { ProvenAddresses } from '../one-time/proof/statements.ts';
import type { Metadata } from '../user/metadata.ts';
import type { UserRow } from '../user/user.ts';
import type { Scope } from './scopes.ts';

/** Claims; undefined ones are omitted. */
type UserClaims = Record<string, string | number | boolean | undefined>;

/**
 * `…_verified` requires that the user has proven ownership of the address: applications link accounts by it,
 * while autoconfirm or an organisation's identity provider can confirm any address.
 */
const CLAIMS: Record<Scope, (user: UserRow, proven: ProvenAddresses) => UserClaims> = {
  openid: () => ({}),
  offline_access: () => ({}),
  email: ({ email, email_confirmed_at }, proven) =>
    email ? { email, email_verified: email_confirmed_at !== null && proven.email } : {},
  phone: ({ phone, phone_confirmed_at }, proven) =>
    phone ? { phone_number: phone, phone_number_verified: phone_confirmed_at !== null && proven.phone } : {},
  // Never substitute an email address for a missing name: it belongs to another scope.
  profile: ({ raw_user_meta_data: data, updated_at }) => ({
    name: text(data, 'name') ?? text(data, 'full_name'),
    picture: text(data, 'picture') ?? text(data, 'avatar_url'),
    preferred_username: text(data, 'preferred_username') ?? text(data, 'username'),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
};

/** Returns a user's claims except `sub`. */
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
