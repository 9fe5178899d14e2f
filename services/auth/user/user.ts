/** Users as rows and in responses. */
import { type Factor, type FactorRow, factorsOfUser, toFactor } from './factor.ts';
import { type Identity, type IdentityRow, identitiesOfUser, toIdentity } from './identity.ts';
import type { Metadata } from './metadata.ts';

/** A row of `auth.users` with the user's identities and factors, as {@link userColumns} selects it. */
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

/** SQL: the columns of user `u` without identities and factors, for lists. */
export const plainUserColumns = `u.id, u.aud, u.role, u.email, u.is_sso_user, u.encrypted_password,
  u.email_confirmed_at, u.invited_at, u.phone, u.phone_confirmed_at, u.confirmation_sent_at, u.confirmed_at,
  u.recovery_sent_at, u.email_change, u.email_change_sent_at, u.phone_change, u.phone_change_sent_at,
  u.reauthentication_sent_at, u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data, u.created_at,
  u.updated_at, u.banned_until, u.deleted_at, u.is_anonymous`;

/** SQL: the columns of {@link UserRow} for user `u`. */
export const userColumns = `${plainUserColumns},
  ${identitiesOfUser} as identities,
  ${factorsOfUser} as factors`;

/** A user in responses. Undefined fields are omitted; passwords, tokens and `is_sso_user` are never sent. */
export interface User {
  id: string;
  aud: string;
  role: string;
  email: string;
  email_confirmed_at: Date | undefined;
  invited_at: Date | undefined;
  /** Digits without a plus sign; '' without a phone number. */
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
  /** Null in lists, which do not load identities. */
  identities: Identity[] | null;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | undefined;
  deleted_at: Date | undefined;
  is_anonymous: boolean;
}

/** Converts a row to a user with identities and factors. */
export function toUser(row: UserRow): User {
  return {
    ...withoutAssociations(row),
    identities: (row.identities ?? []).map(toIdentity),
    factors: row.factors?.map(toFactor),
  };
}

/** Converts a row to a user without identities and factors. */
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

export function isBanned({ banned_until }: Pick<UserRow, 'banned_until'>, now: Date): boolean {
  return banned_until !== null && now < banned_until;
}

/** Returns a human-readable name of a user. */
export function displayName({ raw_user_meta_data: data, email, phone, id }: UserRow): string {
  const name = data?.full_name ?? data?.name;
  return (typeof name === 'string' && name) || email || phone || id;
}

/**
 * Returns the id of the SSO provider of an account. An account has at most one: accounts of different providers
 * are never linked.
 */
export function ssoProviderOf({ identities }: Pick<UserRow, 'identities'>): string | undefined {
  return identities?.find(({ provider }) => provider.startsWith('sso:'))?.provider.slice('sso:'.length);
}

export function hasVerifiedFactor({ factors }: Pick<UserRow, 'factors'>): boolean {
  return factors?.some((factor) => factor.status === 'verified') ?? false;
}
