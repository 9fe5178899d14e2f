/** Statements that store, find and wipe one-time tokens. */
import type { Statement } from '@greenroom/postgres';
import { type UserRow, userColumns } from '../user.ts';
import { TOKEN_KINDS, type TokenKind } from './token-kind.ts';

/** A token to be stored. `hash` may carry the prefix of PKCE. */
export interface NewToken {
  userId: string;
  kind: TokenKind;
  hash: string;
  /** Address that the message goes to. */
  recipient: string;
}

/** Stores a token in place of the former one of its kind. */
export function storeToken({ userId, kind, hash, recipient }: NewToken, now: Date): Statement {
  const { token, sentAt } = TOKEN_KINDS[kind];
  return {
    name: `auth_store_${kind}`,
    text: `with noted as (
        update auth.users set ${token} = $2, ${sentAt} = $4, updated_at = $4 where id = $1 returning id
      )
      insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
      select gen_random_uuid(), id, '${kind}', $2, $3, $4 at time zone 'utc', $4 at time zone 'utc' from noted
      on conflict (user_id, token_type) do update set
        token_hash = excluded.token_hash, relates_to = excluded.relates_to,
        created_at = excluded.created_at, updated_at = excluded.updated_at`,
    values: [userId, hash, recipient, now],
  };
}

/** A user with the tokens that wait to be used. */
export interface TokenOwner extends UserRow {
  confirmation_token: string | null;
  recovery_token: string | null;
  email_change_token_new: string | null;
  email_change_token_current: string | null;
  phone_change_token: string | null;
  reauthentication_token: string | null;
  email_change_confirm_status: number;
}

const TOKEN_COLUMNS = Object.values(TOKEN_KINDS).map(({ token }) => token);
const ownerColumns = `${userColumns}, u.email_change_confirm_status,
  ${TOKEN_COLUMNS.map((column) => `u.${column}`).join(', ')}`;

/**
 * Finds and locks who was sent a token; answers a {@link TokenOwner} or nothing. The condition on the user's own
 * columns is what makes a token good for once: it is checked again after waiting for somebody faster.
 * @param hashes forms of one token @param audience undefined: any
 */
export function lockTokenOwner(
  hashes: readonly string[],
  kinds: readonly TokenKind[],
  audience?: string,
): Statement {
  const isHeld = TOKEN_COLUMNS.map((column) => `u.${column} = any($1)`).join(' or ');
  return {
    name: 'auth_lock_token_owner',
    text: `select ${ownerColumns} from auth.users u
      where u.id in (
        select user_id from auth.one_time_tokens where token_hash = any($1) and token_type::text = any($2)
      ) and (${isHeld}) and u.aud = coalesce($3, u.aud)
      order by u.id limit 1 for update of u`,
    values: [hashes, kinds, audience ?? null],
  };
}

/** Locks a user; answers a {@link TokenOwner} or nothing. */
export function lockUser(id: string): Statement {
  return {
    name: 'auth_lock_user',
    text: `select ${ownerColumns} from auth.users u where u.id = $1 for update of u`,
    values: [id],
  };
}

/** Takes back every code and link that a user was sent. */
export function wipeTokens(userId: string, now: Date): Statement {
  return {
    name: 'auth_wipe_tokens',
    text: `with forgotten as (delete from auth.one_time_tokens where user_id = $1)
      update auth.users set ${TOKEN_COLUMNS.map((column) => `${column} = ''`).join(', ')}, updated_at = $2
      where id = $1`,
    values: [userId, now],
  };
}

/** Takes back the token of one kind. */
export function wipeToken(userId: string, kind: TokenKind, now: Date): Statement {
  return {
    name: `auth_wipe_${kind}`,
    text: `with forgotten as (
        delete from auth.one_time_tokens where user_id = $1 and token_type = '${kind}'
      )
      update auth.users set ${TOKEN_KINDS[kind].token} = '', updated_at = $2 where id = $1`,
    values: [userId, now],
  };
}
