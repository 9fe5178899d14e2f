/**
 * Statements for PKCE flows (RFC 7636). A row stores the state between the request that starts a flow and the exchange
 * of its code.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';

/** The PKCE code challenge. Clients prove with its verifier that they started the flow. */
export interface Challenge {
  code_challenge: string;
  code_challenge_method: string;
}

/** A flow to insert. */
interface NewFlow {
  challenge: Challenge;
  /** External provider, e.g. `google`; for flows of this service, the authentication method. */
  provider: string;
  /** Method for the claim `amr`. */
  method: string;
  userId: string | null;
  /** Set if the caller needs to know the id; default: a random one. */
  id?: string;
}

/** Inserts a flow. */
export function beginFlow({ challenge, provider, method, userId, id }: NewFlow, now: Date): Statement {
  return {
    name: 'auth_begin_flow',
    text: `insert into auth.flow_state (id, user_id, code_challenge, code_challenge_method, provider_type,
        authentication_method, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    values: [
      id ?? randomUUID(),
      userId,
      challenge.code_challenge,
      challenge.code_challenge_method.toLowerCase(),
      provider,
      method,
      now,
    ],
  };
}

/** Creates a random authorization code. */
export function newAuthCode(): string {
  return randomUUID();
}

/** The stored form of a code: SHA-256 in hex. The code is random, so it needs no slow hash. */
export function hashAuthCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

/**
 * Stores a code in the newest flow of a user with this method. Returns one row, or none if the user has no such flow.
 */
export function issueAuthCode(userId: string, method: string, code: string, now: Date): Statement {
  return {
    name: 'auth_issue_auth_code',
    text: `update auth.flow_state set auth_code = $3, auth_code_issued_at = $4, updated_at = $4
      where id = (
        select id from auth.flow_state
        where user_id = $1 and authentication_method = $2 and code_challenge is not null
        order by created_at desc limit 1
      )
      returning id`,
    values: [userId, method, hashAuthCode(code), now],
  };
}

/** The columns of `auth.flow_state` that the exchange of a code needs. */
export interface FlowRow {
  id: string;
  user_id: string | null;
  code_challenge: string;
  code_challenge_method: 's256' | 'plain';
  authentication_method: string;
  provider_type: string;
  provider_access_token: string | null;
  provider_refresh_token: string | null;
  auth_code_issued_at: Date | null;
  created_at: Date;
  /** Time until which the identity provider allows the session. */
  session_not_after: Date | null;
}

/** Finds and locks the flow of a code. Returns a {@link FlowRow} or no row. */
export function lockFlowByCode(code: string): Statement {
  return {
    name: 'auth_lock_flow_by_code',
    text: `select id, user_id, code_challenge, code_challenge_method, authentication_method, provider_type,
        provider_access_token, provider_refresh_token, auth_code_issued_at, created_at, (
          select a.session_not_after from auth.saml_assertions a where a.flow_state_id = flow_state.id
        ) as session_not_after
      from auth.flow_state where auth_code = $1 and code_challenge is not null for update`,
    values: [hashAuthCode(code)],
  };
}

/** Deletes a flow. */
export function endFlow(id: string): Statement {
  return { name: 'auth_end_flow', text: 'delete from auth.flow_state where id = $1', values: [id] };
}
