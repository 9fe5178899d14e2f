/** What an application gets to know of somebody, by the scopes that it was granted (OpenID Connect Core §5.1, §5.4). */
import type { Metadata } from '../metadata.ts';
import type { UserRow } from '../user.ts';
import type { Scope } from './scopes.ts';

/** Claims; what is undefined is left out. */
export type UserClaims = Record<string, string | number | boolean | undefined>;

const CLAIMS: Record<Scope, (user: UserRow) => UserClaims> = {
  openid: () => ({}),
  offline_access: () => ({}),
  email: ({ email, email_confirmed_at }) =>
    email ? { email, email_verified: email_confirmed_at !== null } : {},
  phone: ({ phone, phone_confirmed_at }) =>
    phone ? { phone_number: phone, phone_number_verified: phone_confirmed_at !== null } : {},
  // No address in place of a name that is not there: that is another scope.
  profile: ({ raw_user_meta_data: data, updated_at }) => ({
    name: text(data, 'name') ?? text(data, 'full_name'),
    picture: text(data, 'picture') ?? text(data, 'avatar_url'),
    preferred_username: text(data, 'preferred_username') ?? text(data, 'username'),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
};

/** The claims about a user besides `sub`. */
export function userClaims(user: UserRow, scopes: readonly string[]): UserClaims {
  const known = scopes.filter((scope) => Object.hasOwn(CLAIMS, scope)) as Scope[];
  return Object.assign({}, ...known.map((scope) => CLAIMS[scope](user)));
}

function text(data: Metadata | null, name: string): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
