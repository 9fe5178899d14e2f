/** A user's row as from the database, for tests of pure functions. */
import type { UserRow } from '../user/user.ts';

const CREATED = new Date('2026-01-01T00:00:00Z');

/** The row of a confirmed user; `fields` override its columns. */
export function userRow(fields: Partial<UserRow> = {}): UserRow {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    aud: 'authenticated',
    role: 'authenticated',
    email: 'ann@example.org',
    is_sso_user: false,
    encrypted_password: '$2a$10$hash',
    email_confirmed_at: CREATED,
    invited_at: null,
    phone: null,
    phone_confirmed_at: null,
    confirmation_sent_at: null,
    confirmed_at: CREATED,
    recovery_sent_at: null,
    email_change: '',
    email_change_sent_at: null,
    phone_change: '',
    phone_change_sent_at: null,
    reauthentication_sent_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: {},
    raw_user_meta_data: {},
    created_at: CREATED,
    updated_at: CREATED,
    banned_until: null,
    deleted_at: null,
    is_anonymous: false,
    identities: null,
    factors: null,
    ...fields,
  };
}
