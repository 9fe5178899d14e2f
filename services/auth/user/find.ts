/**
 * Statements that find users. Look-ups by address are limited to one audience and exclude SSO accounts.
 */
import type { Statement } from '@greenroom/postgres';
import { userColumns } from './user.ts';

/**
 * GoTrue once served several projects from one table. Its rows still carry this instance id, and its queries
 * filter by it.
 */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Returns a `UserRow` or no row. */
export function findUserById(id: string): Statement {
  return {
    name: 'auth_user_by_id',
    text: `select ${userColumns} from auth.users u where u.id = $1`,
    values: [id],
  };
}

/** Finds the user who signs in with an email address. Returns a `UserRow` or no row. @param email in lower case */
export function findUserByEmail(email: string, audience: string): Statement {
  return {
    name: 'auth_user_by_email',
    text: `select ${userColumns} from auth.users u
      where u.instance_id = '${NIL_UUID}' and lower(u.email) = $1 and u.aud = $2 and not u.is_sso_user limit 1`,
    values: [email, audience],
  };
}

/** Finds the user who signs in with a phone number. Returns a `UserRow` or no row. @param phone digits */
export function findUserByPhone(phone: string, audience: string): Statement {
  return {
    name: 'auth_user_by_phone',
    text: `select ${userColumns} from auth.users u
      where u.instance_id = '${NIL_UUID}' and u.phone = $1 and u.aud = $2 and not u.is_sso_user limit 1`,
    values: [phone, audience],
  };
}

/** Finds a user with a pending change to a phone number. Returns a `UserRow` or no row. @param phone digits */
export function findUserByPhoneChange(phone: string, audience: string): Statement {
  return {
    name: 'auth_user_by_phone_change',
    text: `select ${userColumns} from auth.users u
      where u.instance_id = '${NIL_UUID}' and u.phone_change = $1 and u.aud = $2 and not u.is_sso_user limit 1`,
    values: [phone, audience],
  };
}

/**
 * Finds the user who owns an email address: through an identity of any provider except SSO, otherwise as their
 * own address. Returns a `UserRow` or no row.
 * @param exceptId a user to exclude
 */
export function findOwnerOfEmail(email: string, audience: string, exceptId: string | null = null): Statement {
  return {
    name: 'auth_owner_of_email',
    text: `select ${userColumns} from auth.users u
      where u.id = coalesce(
        (select i.user_id from auth.identities i join auth.users o on o.id = i.user_id
          where i.email = $1 and i.provider not like 'sso:%' and o.aud = $2 and o.id is distinct from $3::uuid
          order by i.created_at limit 1),
        (select o.id from auth.users o
          where o.instance_id = '${NIL_UUID}' and lower(o.email) = $1 and o.aud = $2 and not o.is_sso_user
            and o.id is distinct from $3::uuid
          limit 1)
      )`,
    values: [email, audience, exceptId],
  };
}
