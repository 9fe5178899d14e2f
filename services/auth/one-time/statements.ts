/** Statements that store, find and delete one-time tokens. */
import type { Statement } from '@greenroom/postgres';
import { type UserRow, userColumns } from '../user/user.ts';
import { DAY_MS, type StoredCode } from './attempt.ts';
import { hashCode, hashLinkToken } from './code.ts';
import { TOKEN_KINDS, type TokenKind } from './token-kind.ts';

/** The secrets of a message. The database stores a hash of each. */
interface NewToken {
  userId: string;
  kind: TokenKind;
  /** The token of the link, with an optional PKCE prefix. */
  token: string;
  /** Code for the recipient to type. */
  code: string;
  /** Address of the recipient. */
  recipient: string;
}

/**
 * Replaces the secrets of the previous message of this kind. The daily count of wrong codes stays, so that a new code
 * does not give an attacker more attempts.
 */
export function storeToken({ userId, kind, token, code, recipient }: NewToken, now: Date): Statement {
  const { token: column, sentAt } = TOKEN_KINDS[kind];
  return {
    name: `auth_store_${kind}`,
    text: `with noted as (
        update auth.users set ${column} = $2, ${sentAt} = $5, updated_at = $5 where id = $1 returning id
      )
      insert into auth.one_time_tokens
        (id, user_id, token_type, token_hash, code_hash, relates_to, created_at, updated_at)
      select gen_random_uuid(), id, '${kind}', $2, $3, $4, $5 at time zone 'utc', $5 at time zone 'utc' from noted
      on conflict (user_id, token_type) do update set
        token_hash = excluded.token_hash, code_hash = excluded.code_hash, relates_to = excluded.relates_to,
        created_at = excluded.created_at, updated_at = excluded.updated_at, failures = 0`,
    values: [userId, hashLinkToken(token), hashCode(recipient, code), recipient, now],
  };
}

/** A user with the stored hashes of unused tokens. */
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

/** A {@link TokenOwner} with the stored secrets of one message. */
export interface LockedToken extends TokenOwner, StoredCode {
  kind: TokenKind;
}

const lockedColumns = `${ownerColumns}, t.id as token_id, t.token_type::text as kind, t.code_hash, t.failures,
  t.day_failures, t.day_began_at`;

/**
 * Finds and locks the owner of a link's token, and the token. Returns a {@link LockedToken} or no row, e.g. if a
 * concurrent request has used the token. Locks users before tokens, like every transaction.
 * @param audience default: any audience
 */
export function lockByLinkToken(token: string, kinds: readonly TokenKind[], audience?: string): Statement {
  return {
    name: 'auth_lock_by_link_token',
    text: `select ${lockedColumns} from auth.users u join auth.one_time_tokens t on t.user_id = u.id
      where t.token_hash = $1 and t.token_type::text = any($2) and u.aud = coalesce($3, u.aud)
      for update of u, t`,
    values: [hashLinkToken(token), kinds, audience ?? null],
  };
}

/**
 * Several accounts may request the same new address, and each gets a code there. Only the newest codes are accepted.
 */
const MAX_CODES_PER_ADDRESS = 4;

/**
 * Finds and locks the unused codes of an address and their owners, regardless of the codes' values. Returns
 * {@link LockedToken}s. The lock serializes concurrent attempts, so that each sees the failures of those before it.
 */
export function lockCodesOf(address: string, kinds: readonly TokenKind[], audience: string): Statement {
  return {
    name: 'auth_lock_codes_of',
    text: `select ${lockedColumns} from auth.users u join auth.one_time_tokens t on t.user_id = u.id
      where t.id in (
          select id from auth.one_time_tokens where relates_to = $1 and token_type::text = any($2)
          order by created_at desc limit ${MAX_CODES_PER_ADDRESS}
        ) and t.relates_to = $1 and u.aud = $3
      order by u.id for update of u, t`,
    values: [address, kinds, audience],
  };
}

/** Finds and locks a user's code of one kind. Returns a {@link LockedToken} or no row. */
export function lockCodeOfUser(userId: string, kind: TokenKind): Statement {
  return {
    name: 'auth_lock_code_of_user',
    text: `select ${lockedColumns} from auth.users u join auth.one_time_tokens t on t.user_id = u.id
      where u.id = $1 and t.token_type::text = $2 for update of u, t`,
    values: [userId, kind],
  };
}

/** Counts one wrong code for each of these tokens. */
export function countWrongCode(tokenIds: readonly string[], now: Date): Statement {
  const isToday = `day_began_at > $2::timestamptz - interval '${DAY_MS} milliseconds'`;
  return {
    name: 'auth_count_wrong_code',
    text: `update auth.one_time_tokens set failures = failures + 1,
        day_failures = case when ${isToday} then day_failures + 1 else 1 end,
        day_began_at = case when ${isToday} then day_began_at else $2 end
      where id = any($1)`,
    values: [tokenIds, now],
  };
}

/** Revokes all codes and links that were sent to a user. */
export function wipeTokens(userId: string, now: Date): Statement {
  return {
    name: 'auth_wipe_tokens',
    text: `with forgotten as (delete from auth.one_time_tokens where user_id = $1)
      update auth.users set ${TOKEN_COLUMNS.map((column) => `${column} = ''`).join(', ')}, updated_at = $2
      where id = $1`,
    values: [userId, now],
  };
}

/** Revokes the token of one kind. */
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

/** Locks a user. Returns a {@link TokenOwner} or no row. */
export function lockUser(id: string): Statement {
  return {
    name: 'auth_lock_user',
    text: `select ${ownerColumns} from auth.users u where u.id = $1 for update of u`,
    values: [id],
  };
}
