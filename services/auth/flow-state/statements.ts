/** Flows under PKCE (RFC 7636): what is remembered between the request that begins one and the exchange of its code. */
import { createHash, randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';

/** How clients prove that the flow is theirs. */
export interface Challenge {
  code_challenge: string;
  code_challenge_method: string;
}

/** A flow that begins. */
interface NewFlow {
  challenge: Challenge;
  /** e.g. `google`, or the authentication method where this service itself is the provider. */
  provider: string;
  /** For claim `amr`. */
  method: string;
  userId: string | null;
  /** Where its beginner has to know it. */
  id?: string;
}

/** Remembers a flow. */
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

/** A new code to be exchanged. */
export function newAuthCode(): string {
  return randomUUID();
}

/** What is stored of a code. It is random, so no slow hash is needed. */
export function hashAuthCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

/**
 * Gives the newest flow of a user by this method its code; answers one row, or none where no flow was begun.
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

/** A row of `auth.flow_state`, as far as the exchange needs it. */
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
  /** Until when an identity provider lets the session live. */
  session_not_after: Date | null;
}

/** Finds and locks the flow of a code; answers a {@link FlowRow} or nothing. */
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

/** Ends a flow. */
export function endFlow(id: string): Statement {
  return { name: 'auth_end_flow', text: 'delete from auth.flow_state where id = $1', values: [id] };
}
