import type { NewUser } from '../user/insert.ts';
import type { UserRow } from '../user/user.ts';

/** The row that a new user would have in the database: unconfirmed and without identities. */
export function plannedRow(user: NewUser, now: Date): UserRow {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    phone: user.phone,
    is_anonymous: user.isAnonymous,
    raw_app_meta_data: user.appMetadata,
    raw_user_meta_data: user.userMetadata,
    created_at: now,
    updated_at: now,
    is_sso_user: false,
    encrypted_password: null,
    email_confirmed_at: null,
    invited_at: null,
    phone_confirmed_at: null,
    confirmation_sent_at: null,
    confirmed_at: null,
    recovery_sent_at: null,
    email_change: null,
    email_change_sent_at: null,
    phone_change: null,
    phone_change_sent_at: null,
    reauthentication_sent_at: null,
    last_sign_in_at: null,
    banned_until: null,
    deleted_at: null,
    identities: [],
    factors: null,
  };
}
