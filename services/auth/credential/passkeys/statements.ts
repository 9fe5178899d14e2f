/** Statements for passkeys and their challenges. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';

/** A row of `auth.webauthn_credentials`; ids and keys are base64url. */
export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: string;
  sign_count: string;
  transports: string[];
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const base64url = (column: string) =>
  `rtrim(translate(encode(${column}, 'base64'), E'+/\\n', '-_'), '=') as ${column}`;

const columns = `id, user_id, ${base64url('credential_id')}, ${base64url('public_key')}, sign_count, transports,
  friendly_name, created_at, last_used_at`;

/** Selects all passkeys of a user, oldest first. */
export function findPasskeys(userId: string): Statement {
  return {
    name: 'auth_find_passkeys',
    text: `select ${columns} from auth.webauthn_credentials where user_id = $1 order by created_at, id`,
    values: [userId],
  };
}

/**
 * Locks a passkey by its credential id. Returns a {@link PasskeyRow} or no row.
 * @param credentialId base64url
 */
export function lockPasskey(credentialId: string): Statement {
  return {
    name: 'auth_lock_passkey',
    text: `select ${columns} from auth.webauthn_credentials where credential_id = $1 for update`,
    values: [Buffer.from(credentialId, 'base64url')],
  };
}

/** A passkey to insert. */
export interface NewPasskey {
  id: string;
  userId: string;
  /** base64url */
  credentialId: string;
  publicKey: Uint8Array;
  attestationType: string;
  aaguid: string;
  signCount: number;
  transports: readonly string[];
  isBackupEligible: boolean;
  isBackedUp: boolean;
  name: string;
}

/** Inserts a passkey unless the user already has `maxPerUser` passkeys. Returns a row if it was inserted. */
export function insertPasskey(passkey: NewPasskey, maxPerUser: number, now: Date): Statement {
  return {
    name: 'auth_insert_passkey',
    text: `with owner as (select id from auth.users where id = $2 for update)
      insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid,
        sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)
      select $1, owner.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12 from owner
      where (select count(*) from auth.webauthn_credentials c where c.user_id = owner.id) < $13
      returning id`,
    values: [
      passkey.id,
      passkey.userId,
      Buffer.from(passkey.credentialId, 'base64url'),
      Buffer.from(passkey.publicKey),
      passkey.attestationType,
      passkey.aaguid,
      passkey.signCount,
      JSON.stringify(passkey.transports),
      passkey.isBackupEligible,
      passkey.isBackedUp,
      passkey.name,
      now,
      maxPerUser,
    ],
  };
}

/** Stores the signature counter, backup state and time of a use. */
export function recordUse(id: string, signCount: number, isBackedUp: boolean, now: Date): Statement {
  return {
    name: 'auth_note_passkey_use',
    text: `update auth.webauthn_credentials
      set sign_count = $2, backed_up = $3, last_used_at = $4, updated_at = $4 where id = $1`,
    values: [id, signCount, isBackedUp, now],
  };
}

/** Renames a passkey of a user. Returns a {@link PasskeyRow} or no row. */
export function renamePasskey(id: string, userId: string, name: string, now: Date): Statement {
  return {
    name: 'auth_rename_passkey',
    text: `update auth.webauthn_credentials set friendly_name = $3, updated_at = $4
      where id = $1 and user_id = $2 returning ${columns}`,
    values: [id, userId, name, now],
  };
}

/** Deletes a passkey of a user. Returns one row or none. */
export function deletePasskey(id: string, userId: string): Statement {
  return {
    name: 'auth_delete_passkey',
    text: 'delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning id',
    values: [id, userId],
  };
}

/** Creates the id and the insert statement of a challenge. The statement also deletes expired challenges. */
export function newChallenge(
  type: 'registration' | 'authentication',
  userId: string | null,
  challenge: string,
  now: Date,
  expiresAt: Date,
): { id: string; statement: Statement } {
  const id = randomUUID();
  return {
    id,
    statement: {
      name: 'auth_insert_webauthn_challenge',
      text: `with forgotten as (delete from auth.webauthn_challenges where expires_at < $5)
        insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)`,
      values: [id, userId, type, JSON.stringify({ challenge }), now, expiresAt],
    },
  };
}

/** Consumes a challenge. Returns one row or none; of several concurrent requests, only one gets the row. */
export function deleteChallenge(
  id: string,
  type: 'registration' | 'authentication',
  userId: string | null,
): Statement {
  return {
    name: 'auth_take_webauthn_challenge',
    text: `delete from auth.webauthn_challenges
      where id = $1 and challenge_type = $2 and user_id is not distinct from $3::uuid
      returning session_data ->> 'challenge' as challenge, expires_at`,
    values: [id, type, userId],
  };
}
