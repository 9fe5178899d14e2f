/** Statements of sign-ins with wallets. */
import { createHash } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { IdentityData } from '../../user/identity.ts';
import { userColumns } from '../../user/user.ts';

/** The constraint that a message runs into which was used before. */
export const USED_MESSAGE_CONSTRAINT = 'signed_messages_pkey';
/** The constraint that two first sign-ins with one wallet run into. */
export const IDENTITY_CONSTRAINT = 'identities_provider_id_provider_unique';

/**
 * Uses a message up. Of the message and not of its signature, since one message can have many signatures. Messages
 * that are too old to be used are forgotten on the way, those that somebody else is forgetting left to them.
 */
export function useMessage(message: string, expiresAt: Date, now: Date): Statement {
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

/** Whose wallet it is; answers a `UserRow` or nothing. @param ids forms of one id, any of which may be stored */
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

/** Makes a wallet an identity of a user. */
export function insertWallet(userId: string, id: string, data: IdentityData, now: Date): Statement {
  return {
    name: 'auth_insert_wallet',
    text: `insert into auth.identities (
        provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
      ) values ($1, $2, $3, 'web3', $4, $4, $4)`,
    values: [id, userId, JSON.stringify(data), now],
  };
}

/** Notes a sign-in at a user's wallet, and what its message said. */
export function noteWalletUse(
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
