/** Sign-ins that began before the account was soft-deleted or its password was changed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { challengeOf, exchange, getCode, newApp, startOAuthServer } from '../testing/oauth.ts';
import { type Person, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
beforeAll(async () => {
  server = await startOAuthServer();
});
afterAll(() => server.close());

const VERIFIER = 'v'.repeat(43);

/** A flow with an issued code that has not been exchanged yet. */
async function pendingCode({ id }: Person) {
  const code = randomUUID();
  await server.database.admin.query({
    text: `insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type,
        authentication_method, created_at, auth_code_issued_at)
      values (gen_random_uuid(), $1, encode(sha256($2::text::bytea), 'hex'), $3, 's256', 'magiclink', 'magiclink', now(), now())`,
    values: [id, code, challengeOf(VERIFIER)],
  });
  return () =>
    send(server, {
      method: 'POST',
      path: '/token?grant_type=pkce',
      body: { auth_code: code, code_verifier: VERIFIER },
    });
}

it.each([
  [
    'was soft-deleted',
    ({ id }: Person) => server.admin('DELETE', `/admin/users/${id}`, { should_soft_delete: true }),
  ],
  [
    'has changed its password',
    ({ accessToken: bearer }: Person) =>
      send(server, { method: 'PUT', path: '/user', bearer, body: { password: 'another secret' } }),
  ],
  [
    'got a new password from an admin',
    ({ id }: Person) => server.admin('PUT', `/admin/users/${id}`, { password: 'another secret' }),
  ],
])('rejects codes of an account that %s', async (_, change) => {
  const ann = await signUpPerson(server);
  const app = await newApp(server);
  const [ofApp, ofFlow, good] = [
    await getCode(server, app, ann),
    await pendingCode(ann),
    await pendingCode(ann),
  ];
  expect((await good()).status).toBe(200);
  expect((await change(ann)).status).toBe(200);
  expect((await exchange(server, app, ofApp)).status).toBe(400);
  expect((await ofFlow()).status).toBe(404);
});
