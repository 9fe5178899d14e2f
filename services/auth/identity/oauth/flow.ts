/** Flows at external providers: rows of `auth.flow_state`, whose id is parameter `state`. */
import type { Statement } from '@greenroom/postgres';
import type { ProviderTokens } from '../../flow-state/provider-tokens.ts';
import { type Challenge, hashAuthCode } from '../../flow-state/statements.ts';

/** A flow to store. */
interface NewExternalFlow {
  id: string;
  provider: string;
  /** Empty for the implicit flow. */
  challenge: Challenge;
  /** URL to redirect to after the sign-in. */
  target: string;
  /** Id of the user to whose account the identity is to be added. */
  linkTo: string | null;
  inviteToken: string | null;
  emailOptional: boolean;
}

/**
 * Stores a flow. As flows can be started without authentication, each insert also deletes up to 100 abandoned
 * flows older than a day.
 */
export function beginExternalFlow(flow: NewExternalFlow, now: Date): Statement {
  const { code_challenge, code_challenge_method } = flow.challenge;
  return {
    name: 'auth_begin_external_flow',
    text: `with stale as (
        delete from auth.flow_state where id in (
          select id from auth.flow_state
          where created_at < $9::timestamptz - interval '1 day' and authentication_method = 'oauth'
          order by created_at limit 100 for update skip locked)
      )
      insert into auth.flow_state (id, code_challenge, code_challenge_method, provider_type,
        authentication_method, referrer, linking_target_id, invite_token, email_optional, created_at, updated_at)
      values ($1, $2, $3, $4, 'oauth', $5, $6, $7, $8, $9, $9)`,
    values: [
      flow.id,
      code_challenge || null,
      code_challenge_method.toLowerCase() || null,
      flow.provider,
      flow.target,
      flow.linkTo,
      flow.inviteToken,
      flow.emailOptional,
      now,
    ],
  };
}

/** A claimed flow. */
export interface ExternalFlow {
  id: string;
  provider_type: string;
  code_challenge: string | null;
  /** Set together with `code_challenge`. */
  code_challenge_method: 's256' | 'plain' | null;
  referrer: string;
  linking_target_id: string | null;
  invite_token: string | null;
  email_optional: boolean;
  created_at: Date;
}

/**
 * Claims a flow and stores the hash of its code. Returns an {@link ExternalFlow}; later claims return no row.
 * @param code for the client to exchange after the sign-in
 */
export function claimExternalFlow(id: string, code: string, now: Date): Statement {
  return {
    name: 'auth_take_external_flow',
    text: `update auth.flow_state set auth_code = $2, updated_at = $3
      where id = $1 and auth_code is null and referrer is not null and authentication_method = 'oauth'
      returning id, provider_type, code_challenge, code_challenge_method, referrer, linking_target_id, invite_token,
        email_optional, created_at`,
    values: [id, hashAuthCode(code), now],
  };
}

/** Makes the code of a flow exchangeable. @param tokens encrypted */
export function finishExternalFlow(id: string, userId: string, tokens: ProviderTokens, now: Date): Statement {
  return {
    name: 'auth_finish_external_flow',
    text: `update auth.flow_state set user_id = $2, provider_access_token = $3, provider_refresh_token = $4,
        auth_code_issued_at = $5, updated_at = $5
      where id = $1`,
    values: [id, userId, tokens.accessToken, tokens.refreshToken ?? null, now],
  };
}
