/** Sign-ins that are under way at a provider: rows of `auth.flow_state`, whose id is the parameter `state`. */
import type { Statement } from '@greenroom/postgres';
import type { ProviderTokens } from '../../flow-state/provider-tokens.ts';
import { type Challenge, hashAuthCode } from '../../flow-state/statements.ts';

/** A sign-in that begins. */
interface NewExternalFlow {
  id: string;
  provider: string;
  /** Empty where the flow is the implicit one. */
  challenge: Challenge;
  /** Where to go at the end. */
  target: string;
  /** Whose account the identity is to be added to. */
  linkTo: string | null;
  inviteToken: string | null;
  emailOptional: boolean;
}

/** Remembers a sign-in. Anybody can begin one, so each takes some of those away that nobody has finished for a day. */
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

/** A sign-in whose callback has come. */
export interface ExternalFlow {
  id: string;
  provider_type: string;
  code_challenge: string | null;
  /** Present with a challenge. */
  code_challenge_method: 's256' | 'plain' | null;
  referrer: string;
  linking_target_id: string | null;
  invite_token: string | null;
  email_optional: boolean;
  created_at: Date;
}

/**
 * Takes a sign-in up, once: whoever comes second finds nothing. Answers an {@link ExternalFlow}.
 * @param code to be exchanged at the end; nobody knows it before
 */
export function takeExternalFlow(id: string, code: string, now: Date): Statement {
  return {
    name: 'auth_take_external_flow',
    text: `update auth.flow_state set auth_code = $2, updated_at = $3
      where id = $1 and auth_code is null and referrer is not null and authentication_method = 'oauth'
      returning id, provider_type, code_challenge, code_challenge_method, referrer, linking_target_id, invite_token,
        email_optional, created_at`,
    values: [id, hashAuthCode(code), now],
  };
}

/** Lets a code be exchanged. @param tokens sealed */
export function finishExternalFlow(id: string, userId: string, tokens: ProviderTokens, now: Date): Statement {
  return {
    name: 'auth_finish_external_flow',
    text: `update auth.flow_state set user_id = $2, provider_access_token = $3, provider_refresh_token = $4,
        auth_code_issued_at = $5, updated_at = $5
      where id = $1`,
    values: [id, userId, tokens.accessToken, tokens.refreshToken ?? null, now],
  };
}
