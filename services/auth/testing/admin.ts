/** Calls of the admin API with a service key. */
import type { AuthServer } from './auth-server.ts';
import { type Call, send, type TestResponse } from './scenario.ts';

/** Sends a request with a service key. */
export type AdminCall = (method: Call['method'], path: string, body?: Call['body']) => Promise<TestResponse>;

/** Signs a service key and returns a function that calls with it. */
export async function serviceOf(server: AuthServer): Promise<{ key: string; call: AdminCall }> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const key = await server.keys.sign({ role: 'service_role', exp });
  const call: AdminCall = (method, path, body) =>
    send(server, { method: method ?? 'GET', path, bearer: key, ...(body === undefined ? {} : { body }) });
  return { key, call };
}

/** Inserts a verified second factor. Returns its id. */
export async function addFactor({ database }: AuthServer, userId: string, name = 'App'): Promise<string> {
  const [row] = await database.admin.query<{ id: string }>({
    text: `insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (gen_random_uuid(), $1, $2, 'totp', 'verified', 'TOPSECRET', now(), now()) returning id`,
    values: [userId, name],
  });
  return row?.id ?? '';
}

/** Inserts a passkey. Returns its id. */
export async function addPasskey({ database }: AuthServer, userId: string): Promise<string> {
  const [row] = await database.admin.query<{ id: string }>({
    text: `insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
      values ($1, convert_to(gen_random_uuid()::text, 'utf8'), 'TOPSECRET', 'Key') returning id`,
    values: [userId],
  });
  return row?.id ?? '';
}

/** Raises a session to aal2. */
export async function elevateSession({ database }: AuthServer, sessionId: string, factorId: string) {
  await database.admin.query({
    text: `with raised as (update auth.sessions set aal = 'aal2', factor_id = $2 where id = $1 returning id)
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      select gen_random_uuid(), id, now(), now(), 'totp' from raised`,
    values: [sessionId, factorId],
  });
}

/** Audit entries with an action about a user, newest first. */
export async function entriesAbout({ database }: AuthServer, action: string, userId: string) {
  const rows = await database.admin.query<{ payload: Record<string, unknown> }>({
    text: `select payload from auth.audit_log_entries
      where payload ->> 'action' = $1 and $2 in (payload ->> 'actor_id', payload -> 'traits' ->> 'user_id')
      order by created_at desc`,
    values: [action, userId],
  });
  return rows.map(({ payload }) => payload);
}
