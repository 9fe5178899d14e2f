/** Statements that store, find and wipe one-time tokens. */
import type { Statement } from '@greenroom/postgres';
import { type UserRow, userColumns } from '../user/user.ts';
import { DAY_MS, type StoredCode } from './attempt.ts';
import { hashCode, hashLinkToken } from './code.ts';
import { TOKEN_KINDS, type TokenKind } from './token-kind.ts';

/** The secrets of a message. The database gets a hash of each. */
interface NewToken {
  userId: string;
  kind: TokenKind;
  /** The token of the link. It may carry the prefix of PKCE. */
  token: string;
  /** The code that the recipient types. */
  code: string;
  /** Address that the message goes to. */
  recipient: string;
}

/**
 * Stores the secrets of a message in place of the former ones of their kind. Wrong codes of the day stay counted: a new
 * code does not give an attacker a fresh budget.
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

/** A {@link TokenOwner} with the stored secrets of one of the owner's messages. */
export interface HeldToken extends TokenOwner, StoredCode {
  kind: TokenKind;
}

const heldColumns = `${ownerColumns}, t.id as token_id, t.token_type::text as kind, t.code_hash, t.failures,
  t.day_failures, t.day_began_at`;

/**
 * Finds and locks the owner of a link's token, and the token; returns a {@link HeldToken} or nothing. Users come before
 * tokens: every transaction locks in that order. A token that another request has used meanwhile is not found.
 * @param audience undefined: any
 */
export function lockByLinkToken(token: string, kinds: readonly TokenKind[], audience?: string): Statement {
  return {
    name: 'auth_lock_by_link_token',
    text: `select ${heldColumns} from auth.users u join auth.one_time_tokens t on t.user_id = u.id
      where t.token_hash = $1 and t.token_type::text = any($2) and u.aud = coalesce($3, u.aud)
      for update of u, t`,
    values: [hashLinkToken(token), kinds, audience ?? null],
  };
}

/** Several accounts may want one new address, and each gets a code there. Only the newest codes count. */
const MAX_CODES_PER_ADDRESS = 4;

/**
 * Finds and locks the codes that wait at an address, whatever they are, and their owners; returns {@link HeldToken}s.
 * The lock makes concurrent attempts take turns, so that each sees the failures of those before it.
 */
export function lockCodesOf(address: string, kinds: readonly TokenKind[], audience: string): Statement {
  return {
    name: 'auth_lock_codes_of',
    text: `select ${heldColumns} from auth.users u join auth.one_time_tokens t on t.user_id = u.id
      where t.id in (
          select id from auth.one_time_tokens where relates_to = $1 and token_type::text = any($2)
          order by created_at desc limit ${MAX_CODES_PER_ADDRESS}
        ) and t.relates_to = $1 and u.aud = $3
      order by u.id for update of u, t`,
    values: [address, kinds, audience],
  };
}

/** Finds and locks the code of one kind of a user; returns a {@link HeldToken} or nothing. */
export function lockCodeOfUser(userId: string, kind: TokenKind): Statement {
  return {
    name: 'auth_lock_code_of_user',
    text: `select ${heldColumns} from auth.users u join auth.one_time_tokens t on t.user_id = u.id
      where u.id = $1 and t.token_type::text = $2 for update of u, t`,
    values: [userId, kind],
  };
}

/** Counts one wrong code at each of these tokens. */
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

/** Locks a user; answers a {@link TokenOwner} or nothing. */
export function lockUser(id: string): Statement {
  return {
    name: 'auth_lock_user',
    text: `select ${ownerColumns} from auth.users u where u.id = $1 for update of u`,
    values: [id],
  };
}
