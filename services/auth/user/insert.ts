/** Statements that create an account. */
import type { Statement } from '@greenroom/postgres';
import { NIL_UUID } from './find.ts';
import type { IdentityData } from './identity.ts';
import type { Metadata } from './metadata.ts';

/** An unconfirmed account to insert into `auth.users`. */
export interface NewUser {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  passwordHash: string | null;
  appMetadata: Metadata;
  userMetadata: Metadata;
  isAnonymous: boolean;
}

/**
 * Inserts a user as submitted and unconfirmed, so that the project's triggers on `auth.users` see the same row
 * as with GoTrue.
 */
export function insertUser(user: NewUser, now: Date): Statement {
  return {
    name: 'auth_insert_user',
    text: `insert into auth.users (
        instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data, raw_user_meta_data,
        is_anonymous, created_at, updated_at, confirmation_token, recovery_token, email_change_token_new, email_change
      ) values ('${NIL_UUID}', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, '', '', '', '')`,
    values: [
      user.id,
      user.aud,
      user.role,
      user.email,
      user.phone,
      user.passwordHash,
      JSON.stringify(user.appMetadata),
      JSON.stringify(user.userMetadata),
      user.isAnonymous,
      now,
    ],
  };
}

/** An identity whose provider is this service. The user's id is also the provider's id of the user. */
interface OwnIdentity {
  userId: string;
  provider: 'email' | 'phone';
  data: IdentityData;
}

/** Inserts an identity; keeps an existing one unchanged. */
export function insertIdentity({ userId, provider, data }: OwnIdentity, now: Date): Statement {
  return {
    name: 'auth_insert_identity',
    text: `insert into auth.identities (
        provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
      ) values ($1::uuid::text, $1, $2, $3, $4, $4, $4)
      on conflict (provider_id, provider) do nothing`,
    values: [userId, JSON.stringify(data), provider, now],
  };
}
