/** Users, as rows and as clients see them. Finding and changing them is in user/. */
import { type Factor, type FactorRow, factorsOfUser, toFactor } from './factor.ts';
import { type Identity, type IdentityRow, identitiesOfUser, toIdentity } from './identity.ts';
import type { Metadata } from './metadata.ts';

/** A row of `auth.users` with what belongs to it, as {@link userColumns} selects it. */
export interface UserRow {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  is_sso_user: boolean;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  confirmed_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Metadata | null;
  raw_user_meta_data: Metadata | null;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | null;
  deleted_at: Date | null;
  is_anonymous: boolean;
  identities: IdentityRow[] | null;
  factors: FactorRow[] | null;
}

/** SQL: the columns of the user `u` alone, for lists. */
export const plainUserColumns = `u.id, u.aud, u.role, u.email, u.is_sso_user, u.encrypted_password,
  u.email_confirmed_at, u.invited_at, u.phone, u.phone_confirmed_at, u.confirmation_sent_at, u.confirmed_at,
  u.recovery_sent_at, u.email_change, u.email_change_sent_at, u.phone_change, u.phone_change_sent_at,
  u.reauthentication_sent_at, u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data, u.created_at,
  u.updated_at, u.banned_until, u.deleted_at, u.is_anonymous`;

/** SQL: the columns of {@link UserRow} for the user `u`. */
export const userColumns = `${plainUserColumns},
  ${identitiesOfUser} as identities,
  ${factorsOfUser} as factors`;

/** A user on the wire. What is undefined is left out; passwords, tokens and `is_sso_user` never go out. */
export interface User {
  id: string;
  aud: string;
  role: string;
  email: string;
  email_confirmed_at: Date | undefined;
  invited_at: Date | undefined;
  /** Digits without a plus sign, or ''. */
  phone: string;
  phone_confirmed_at: Date | undefined;
  confirmation_sent_at: Date | undefined;
  confirmed_at: Date | undefined;
  recovery_sent_at: Date | undefined;
  new_email: string | undefined;
  email_change_sent_at: Date | undefined;
  new_phone: string | undefined;
  phone_change_sent_at: Date | undefined;
  reauthentication_sent_at: Date | undefined;
  last_sign_in_at: Date | undefined;
  app_metadata: Metadata;
  user_metadata: Metadata;
  factors: Factor[] | undefined;
  /** Null in lists, where they are not loaded. */
  identities: Identity[] | null;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | undefined;
  deleted_at: Date | undefined;
  is_anonymous: boolean;
}

/** A user as clients see it. */
export function toUser(row: UserRow): User {
  return {
    ...withoutAssociations(row),
    identities: (row.identities ?? []).map(toIdentity),
    factors: row.factors?.map(toFactor),
  };
}

/** A user as lists show it. */
export function toListedUser(row: UserRow): User {
  return withoutAssociations(row);
}

function withoutAssociations(row: UserRow): User {
  return {
    id: row.id,
    aud: row.aud ?? '',
    role: row.role ?? '',
    email: row.email ?? '',
    email_confirmed_at: row.email_confirmed_at ?? undefined,
    invited_at: row.invited_at ?? undefined,
    phone: row.phone ?? '',
    phone_confirmed_at: row.phone_confirmed_at ?? undefined,
    confirmation_sent_at: row.confirmation_sent_at ?? undefined,
    confirmed_at: row.confirmed_at ?? undefined,
    recovery_sent_at: row.recovery_sent_at ?? undefined,
    new_email: row.email_change || undefined,
    email_change_sent_at: row.email_change_sent_at ?? undefined,
    new_phone: row.phone_change || undefined,
    phone_change_sent_at: row.phone_change_sent_at ?? undefined,
    reauthentication_sent_at: row.reauthentication_sent_at ?? undefined,
    last_sign_in_at: row.last_sign_in_at ?? undefined,
    app_metadata: row.raw_app_meta_data ?? {},
    user_metadata: row.raw_user_meta_data ?? {},
    factors: undefined,
    identities: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    banned_until: row.banned_until ?? undefined,
    deleted_at: row.deleted_at ?? undefined,
    is_anonymous: row.is_anonymous,
  };
}

/** Whether a ban is in force. */
export function isBanned({ banned_until }: Pick<UserRow, 'banned_until'>, now: Date): boolean {
  return banned_until !== null && now < banned_until;
}

/** What to call a user, for people to read. */
export function personName({ raw_user_meta_data: data, email, phone, id }: UserRow): string {
  const name = data?.full_name ?? data?.name;
  return (typeof name === 'string' && name) || email || phone || id;
}

/** The id of the provider of single sign-on that an account belongs to. There is only one: accounts of two never meet. */
export function ssoProviderOf({ identities }: Pick<UserRow, 'identities'>): string | undefined {
  return identities?.find(({ provider }) => provider.startsWith('sso:'))?.provider.slice('sso:'.length);
}

/** Whether a user has a second factor to use. */
export function hasVerifiedFactor({ factors }: Pick<UserRow, 'factors'>): boolean {
  return factors?.some((factor) => factor.status === 'verified') ?? false;
}
