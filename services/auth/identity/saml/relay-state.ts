/** Relay states: the stored state of a sign-in while the user is at their identity provider. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { beginFlow, type Challenge } from '../../flow-state/statements.ts';

/**
 * Milliseconds for which expired states are kept, so that late users get the message that the sign-in has
 * expired.
 */
const RETENTION_MS = 3_600_000;
/** Maximum number of rows deleted at once. */
const DELETE_BATCH = 100;

interface NewRelayState {
  providerId: string;
  /** Id of the authentication request. */
  requestId: string;
  redirectTo: string;
  challenge: Challenge;
}

/** A row of `auth.saml_relay_states`. */
interface RelayState {
  sso_provider_id: string;
  request_id: string;
  redirect_to: string | null;
  /** Set with PKCE. */
  flow_state_id: string | null;
  created_at: Date;
}

/** Stores a relay state and its flow, and deletes abandoned ones. */
export function storeRelayState(
  { config, now: clock }: Pick<AuthContext, 'config' | 'now'>,
  id: string,
  state: NewRelayState,
): Statement[] {
  const now = clock();
  const oldest = now.getTime() - RETENTION_MS - config.saml.relayStateMs - config.flowLifetimeMs;
  const flowId = state.challenge.code_challenge === '' ? null : randomUUID();
  const flow = { challenge: state.challenge, provider: 'sso/saml', method: 'sso/saml', userId: null };
  return [
    ...deleteAbandoned(new Date(oldest)),
    ...(flowId === null ? [] : [beginFlow({ ...flow, id: flowId }, now)]),
    {
      name: 'auth_remember_relay_state',
      text: `insert into auth.saml_relay_states
          (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)`,
      values: [id, state.providerId, state.requestId, state.redirectTo, flowId, now],
    },
  ];
}

/** Deleting a flow also deletes its relay state. */
function deleteAbandoned(before: Date): Statement[] {
  const values = [before, DELETE_BATCH];
  return [
    {
      name: 'auth_forget_sso_flows',
      text: `delete from auth.flow_state where id in (
        select id from auth.flow_state where created_at < $1 and authentication_method = 'sso/saml'
        order by created_at limit $2 for update skip locked)`,
      values,
    },
    {
      name: 'auth_forget_relay_states',
      text: `delete from auth.saml_relay_states where id in (
        select id from auth.saml_relay_states where created_at < $1
        order by created_at limit $2 for update skip locked)`,
      values,
    },
  ];
}

/** Consumes a relay state, which works once. Throws `saml_relay_state_not_found`, `saml_relay_state_expired`. */
export async function consumeRelayState(
  { database, config, now }: AuthContext,
  id: string,
): Promise<RelayState> {
  const [state] = await database.query<RelayState>({
    name: 'auth_take_relay_state',
    text: `delete from auth.saml_relay_states where id = $1
      returning sso_provider_id, request_id, redirect_to, flow_state_id, created_at`,
    values: [id],
  });
  if (state === undefined) throw failure('saml_relay_state_not_found');
  if (now().getTime() - state.created_at.getTime() < config.saml.relayStateMs) return state;
  throw failure('saml_relay_state_expired');
}
