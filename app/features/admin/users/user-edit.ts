/** The fields of a user that an administrator edits, and conflicts between two administrators. */
import type { User } from '@supabase/supabase-js';
import { displayPhone } from '../../../session/person-name.ts';
import { formatMetadata, isEqual } from './metadata.ts';

/** The fields as texts, as the form shows them. */
export interface UserFields {
  email: string;
  phone: string;
  role: string;
  userMetadata: string;
  appMetadata: string;
}

/** A field that another administrator has changed: its value in the database, and the one that was typed. */
export interface FieldConflict {
  field: keyof UserFields;
  theirs: string;
  yours: string;
}

/** Returns the fields of a user. The role is part of the metadata of the app, and has its own field. */
export function fieldsOf({ email, phone, app_metadata, user_metadata }: User): UserFields {
  const { role, ...appMetadata } = app_metadata;
  return {
    email: email ?? '',
    phone: phone ? displayPhone(phone) : '',
    role: typeof role === 'string' ? role : '',
    userMetadata: formatMetadata(user_metadata),
    appMetadata: formatMetadata(appMetadata),
  };
}

/** Returns the fields that have changed since the form was shown. `typed` are the fields of the form. */
export function conflictsOf(
  based: Partial<UserFields>,
  current: UserFields,
  typed: Partial<UserFields>,
): FieldConflict[] {
  return (Object.keys(based) as (keyof UserFields)[])
    .filter((field) => !isSame(based[field] ?? '', current[field]))
    .map((field) => ({ field, theirs: current[field], yours: typed[field] ?? '' }));
}

/** Forms send line breaks as CRLF, and metadata as text in any layout. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return isEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

/** The state of a user in the audit log. Never contains secrets. */
export function snapshotOf(user: User): Record<string, unknown> {
  return {
    email: user.email || null,
    phone: user.phone || null,
    email_confirmed_at: user.email_confirmed_at ?? null,
    phone_confirmed_at: user.phone_confirmed_at ?? null,
    banned_until: (user as { banned_until?: string }).banned_until ?? null,
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
  };
}

/** Returns the address by which an administrator knows a user, otherwise the id. */
export function nameOf({ id, email, phone }: Pick<User, 'id' | 'email' | 'phone'>): string {
  return email || (phone ? displayPhone(phone) : id);
}

/** Returns the target of entries about a user in the audit log. */
export function auditTarget(userId: string): string {
  return `user:${userId}`;
}
