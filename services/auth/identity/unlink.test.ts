import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addFactor, elevateSession } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newPhone, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
let closed: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true' });
  closed = await startAuthServer({}, server);
});
afterAll(async () => {
  await closed.close();
  await server.close();
});

const unlink = ({ accessToken: bearer }: Person, id: string, on = server) =>
  send(on, { method: 'DELETE', path: `/user/identities/${id}`, bearer });
const userOf = async ({ accessToken: bearer }: Person) =>
  (await send(server, { path: '/user', bearer })).json;

async function withTwo() {
  const ann = await signUpPerson(server);
  const phone = newPhone();
  await send(server, { method: 'PUT', path: '/user', bearer: ann.accessToken, body: { phone } });
  const { identities } = await userOf(ann);
  const idOf = (provider: string) =>
    identities.find((identity: { provider: string }) => identity.provider === provider).identity_id;
  return { ann, phone, email: idOf('email') as string, byPhone: idOf('phone') as string };
}

it('unlinks a phone number and disables signing in with it', async () => {
  const { ann, phone, byPhone } = await withTwo();
  expect(await unlink(ann, byPhone)).toMatchObject({ status: 200, json: {} });
  const user = await userOf(ann);
  expect(user).toMatchObject({ phone: '', email: ann.email, app_metadata: { providers: ['email'] } });
  expect(user).not.toHaveProperty('phone_confirmed_at');
  const body = { phone, password: PASSWORD };
  expect((await send(server, { method: 'POST', path: '/token?grant_type=password', body })).status).toBe(400);
});

it('unlinks an email address', async () => {
  const { ann, phone, email } = await withTwo();
  expect(await unlink(ann, email)).toMatchObject({ status: 200, json: {} });
  expect(await userOf(ann)).toMatchObject({ email: '', phone, app_metadata: { provider: 'phone' } });
});

it('keeps the last identity, also with concurrent requests', async () => {
  const { ann, email, byPhone } = await withTwo();
  await Promise.all([unlink(ann, email), unlink(ann, byPhone)]);
  const { identities } = await userOf(ann);
  expect(identities).toHaveLength(1);
  const last = await unlink(ann, identities[0].identity_id);
  expect([last.status, last.json.error_code]).toEqual([422, 'single_identity_not_deletable']);
});

it('requires the second factor of users who have one', async () => {
  const { ann, byPhone } = await withTwo();
  const factorId = await addFactor(server, ann.id);
  const refused = await unlink(ann, byPhone);
  expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
  await elevateSession(server, ann.sessionId, factorId);
  expect((await unlink(ann, byPhone)).status).toBe(200);
});

it('finds only identities of the caller', async () => {
  const [{ ann }, other] = [await withTwo(), await withTwo()];
  expect((await unlink(ann, other.email)).json.error_code).toBe('identity_not_found');
  expect((await unlink(ann, randomUUID())).json.error_code).toBe('identity_not_found');
  expect((await unlink(ann, 'x')).status).toBe(404);
});

it('is disabled by default', async () => {
  const { ann, email } = await withTwo();
  const refused = await unlink(ann, email, closed);
  expect([refused.status, refused.json.error_code]).toEqual([404, 'manual_linking_disabled']);
});
