/** Opens a session: one statement with all writes of a sign-in. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Statement } from '@greenroom/postgres';
import type { AuditEntry } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { NIL_UUID } from '../user/find.ts';
import type { UserRow } from '../user/user.ts';
import type { SessionClient, TokenSession } from './access-token.ts';
import { firstToken } from './issued-token.ts';

/** A completed authentication for which a session is to be opened. */
interface SignIn {
  /** The user as read when the credentials were checked. No session is opened if the password has changed since. */
  user: Pick<UserRow, 'id' | 'encrypted_password'>;
  /** For claim `amr`, e.g. `password`. */
  method: string;
  audit: readonly AuditEntry[];
  /** The application that the session is for, and an unused session id. */
  application?: { client: SessionClient; sessionId: string };
  /** Whether the device of a passkey verified its user. */
  isUserVerified?: boolean;
  /** Whether an administrator opens the session; then it does not count as a sign-in of the user. */
  isImpersonation?: boolean;
  /** Latest end of the session, if an external identity provider or an administrator limits it. */
  notAfter?: Date | undefined;
}

/**
 * A planned session. `statement` returns one row, or none if the account has been deleted or its password has
 * changed.
 */
export interface PlannedSession {
  statement: Statement;
  session: TokenSession;
  refreshToken: string;
}

export function openSession(context: AuthContext, request: AuthRequest, signIn: SignIn): PlannedSession {
  const now = context.now();
  const { user, method, application } = signIn;
  const id = application?.sessionId ?? randomUUID();
  const token = firstToken(context, id);
  const audit = context.config.auditLog ? signIn.audit : [];
  return {
    refreshToken: token.text,
    session: {
      id,
      createdAt: now,
      amr: [{ method, timestamp: Math.floor(now.getTime() / 1000) }],
      client: application?.client,
      isUserVerified: signIn.isUserVerified ?? false,
    },
    statement: {
      name: signIn.isImpersonation ? 'auth_open_impersonation' : 'auth_open_session',
      text: signIn.isImpersonation ? OPEN_IMPERSONATION : OPEN_SESSION,
      values: [
        user.id,
        user.encrypted_password,
        now,
        id,
        request.header('user-agent') || null,
        inetOf(request.address),
        token.sessionKey,
        method,
        token.hash,
        JSON.stringify(audit),
        request.address,
        application?.client.id ?? null,
        application?.client.scope ?? null,
        signIn.notAfter ?? null,
        token.counter,
        signIn.isUserVerified ?? false,
      ],
    },
  };
}

const ACCOUNT = 'id = $1::uuid and encrypted_password is not distinct from $2 and deleted_at is null';
const OPEN_SESSION = openingSql(
  `update auth.users set last_sign_in_at = $3, updated_at = $3 where ${ACCOUNT} returning id`,
);
const OPEN_IMPERSONATION = openingSql(`select id from auth.users where ${ACCOUNT} for no key update`);

/** @param account SQL that locks the account and returns its id */
function openingSql(account: string): string {
  return `
  with account as (
    ${account}
  ), session as (
    insert into auth.sessions (
      id, user_id, created_at, updated_at, aal, user_agent, ip, refresh_token_hmac_key, oauth_client_id, scopes, not_after,
      refresh_token_counter, user_verified
    )
    select $4::uuid, id, $3, $3, 'aal1', $5, $6::inet, $7, $12::uuid, $13, $14::timestamptz, $15::bigint, $16 from account
    returning id, user_id
  ), method as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    select gen_random_uuid(), id, $3, $3, $8 from session
  ), token as (
    insert into auth.refresh_tokens
      (instance_id, token, parent, user_id, session_id, revoked, created_at, updated_at)
    select '${NIL_UUID}'::uuid, $9, '', user_id::text, id, false, $3, $3 from session where $15::bigint is null
  ), audit as (
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    select '${NIL_UUID}'::uuid, gen_random_uuid(), entry, $3, $11 from session, json_array_elements($10::json) entry
  )
  select id from session`;
}

/**
 * Returns an address as PostgreSQL type `inet` accepts it, without the zone of a link-local address (RFC 4007
 * §11). Null for other texts.
 */
export function inetOf(address: string): string | null {
  const plain = address.split('%', 1)[0] ?? '';
  return isIP(plain) === 0 ? null : plain;
}
