/** Statements for sign-ins with wallets. */
import { createHash } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { IdentityData } from '../../user/identity.ts';
import { userColumns } from '../../user/user.ts';

/** Constraint violated by a second use of a message. */
export const USED_MESSAGE_CONSTRAINT = 'signed_messages_pkey';
/** Constraint violated by concurrent first sign-ins with one wallet. */
export const IDENTITY_CONSTRAINT = 'identities_provider_id_provider_unique';

/**
 * Consumes a message. Stores the digest of the message rather than of its signature, since one message can have
 * many signatures. Also deletes up to 100 expired messages, skipping those that a concurrent statement deletes.
 */
export function consumeMessage(message: string, expiresAt: Date, now: Date): Statement {
  return {
    name: 'auth_use_signed_message',
    text: `with old as (
        select digest from auth.signed_messages where expires_at < $3
        order by expires_at limit 100 for update skip locked
      ), forgotten as (
        delete from auth.signed_messages where digest in (select digest from old)
      )
      insert into auth.signed_messages (digest, expires_at) values ($1, $2)`,
    values: [createHash('sha256').update(message).digest(), expiresAt, now],
  };
}

/** Returns the owner of a wallet as a `UserRow`, or no row. @param ids forms of one id, any of which may be stored */
export function findWalletOwner(ids: readonly string[]): Statement {
  return {
    name: 'auth_wallet_owner',
    text: `select ${userColumns} from auth.users u where u.id = (
        select i.user_id from auth.identities i where i.provider = 'web3' and i.provider_id = any($1)
        order by i.created_at limit 1
      )`,
    values: [ids],
  };
}

/** Adds a wallet to a user as an identity. */
export function insertWallet(userId: string, id: string, data: IdentityData, now: Date): Statement {
  return {
    name: 'auth_insert_wallet',
    text: `insert into auth.identities (
        provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
      ) values ($1, $2, $3, 'web3', $4, $4, $4)`,
    values: [id, userId, JSON.stringify(data), now],
  };
}

/** Records a sign-in with a wallet, and the contents of its message. */
export function recordWalletUse(
  userId: string,
  ids: readonly string[],
  data: IdentityData,
  now: Date,
): Statement {
  return {
    name: 'auth_note_wallet_use',
    text: `update auth.identities set identity_data = identity_data || $3, last_sign_in_at = $4, updated_at = $4
      where user_id = $1 and provider = 'web3' and provider_id = any($2)`,
    values: [userId, ids, JSON.stringify(data), now],
  };
}
