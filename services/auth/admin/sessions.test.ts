/** Sessions of users in the admin API, and other sign-in data that admins remove. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AdminCall,
  addFactor,
  addPasskey,
  elevateSession,
  entriesAbout,
  serviceOf,
} from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { claimsOf, PASSWORD, refresh, signInPerson, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
let withoutPasskeys: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer();
  withoutPasskeys = await startAuthServer({ GOTRUE_PASSKEY_ENABLED: 'false' }, server);
  ({ call } = await serviceOf(server));
});
afterAll(async () => {
  await withoutPasskeys.close();
  await server.close();
});

describe('GET /admin/users/:userId/sessions', () => {
  it('returns all sessions without keys, most recently used first', async () => {
    const ann = await signUpPerson(server);
    const headers = { 'user-agent': 'Firefox' };
    const body = { email: ann.email, password: PASSWORD };
    const second = await send(server, { method: 'POST', path: '/token?grant_type=password', headers, body });
    await refresh(server, ann.refreshToken);
    const { status, json } = await call('GET', `/admin/users/${ann.id}/sessions`);
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        id: ann.sessionId,
        created_at: expect.any(String),
        refreshed_at: expect.any(String),
        not_after: null,
        aal: 'aal1',
        user_agent: expect.any(String),
        ip: '127.0.0.1',
        tag: null,
      },
      {
        id: claimsOf(second.json.access_token).session_id,
        created_at: expect.any(String),
        refreshed_at: null,
        not_after: null,
        aal: 'aal1',
        user_agent: 'Firefox',
        ip: '127.0.0.1',
        tag: null,
      },
    ]);
    const sinceRefresh = Date.now() - new Date(json[0].refreshed_at).getTime();
    expect(Math.abs(sinceRefresh)).toBeLessThan(3_600_000);
  });

  it('returns an empty list without sessions', async () => {
    const { json } = await call('POST', '/admin/users', { email: 'nobody@example.org' });
    expect((await call('GET', `/admin/users/${json.id}/sessions`)).json).toEqual([]);
  });
});

describe('DELETE /admin/users/:userId/sessions/:sessionId', () => {
  it('ends only that session', async () => {
    const ann = await signUpPerson(server);
    const other = await signInPerson(server, ann.email);
    expect((await call('DELETE', `/admin/users/${ann.id}/sessions/${ann.sessionId}`)).status).toBe(204);
    const get = (bearer: string) => send(server, { path: '/user', bearer });
    expect((await get(ann.accessToken)).json.error_code).toBe('session_not_found');
    expect((await refresh(server, ann.refreshToken)).status).toBe(400);
    expect((await get(other.accessToken)).status).toBe(200);
    expect(await entriesAbout(server, 'logout', ann.id)).toMatchObject([
      { actor_username: 'service_role', traits: { user_id: ann.id, session_id: ann.sessionId } },
    ]);
  });

  it('finds a session only below its own user', async () => {
    const [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
    const response = await call('DELETE', `/admin/users/${bob.id}/sessions/${ann.sessionId}`);
    expect([response.status, response.json.error_code]).toEqual([404, 'session_not_found']);
    expect((await send(server, { path: '/user', bearer: ann.accessToken })).status).toBe(200);
  });
});

it.each([
  ['GET', ''],
  ['DELETE', '/sessions/00000000-0000-4000-8000-000000000000'],
  ['GET', '/sessions'],
  ['GET', '/passkeys'],
  ['DELETE', '/passkeys/00000000-0000-4000-8000-000000000000'],
] as const)('%s …%s requires an admin', async (method, rest) => {
  const ann = await signUpPerson(server);
  const path = `/admin/users/${ann.id}${rest}`;
  expect((await send(server, { method, path })).json.error_code).toBe('no_authorization');
  const own = await send(server, { method, path, bearer: ann.accessToken });
  expect([own.status, own.json.error_code]).toEqual([403, 'not_admin']);
});

it('rejects a banned admin', async () => {
  const ann = await signUpPerson(server);
  await call('PUT', `/admin/users/${ann.id}`, { role: 'service_role' });
  const boss = await signInPerson(server, ann.email);
  const list = () => send(server, { path: '/admin/users', bearer: boss.accessToken });
  expect((await list()).status).toBe(200);
  await call('PUT', `/admin/users/${ann.id}`, { ban_duration: '1h' });
  expect([(await list()).status, (await list()).json.error_code]).toEqual([403, 'user_banned']);
});

it('rejects an admin who has not used their second factor', async () => {
  const ann = await signUpPerson(server);
  await call('PUT', `/admin/users/${ann.id}`, { role: 'service_role' });
  const boss = await signInPerson(server, ann.email);
  const factorId = await addFactor(server, ann.id);
  const remove = () =>
    send(server, {
      method: 'DELETE',
      path: `/admin/users/${ann.id}/factors/${factorId}`,
      bearer: boss.accessToken,
    });
  const refused = await remove();
  expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
  await elevateSession(server, boss.sessionId, factorId);
  expect((await remove()).status).toBe(200);
});

it('deleting a second factor downgrades its sessions', async () => {
  const ann = await signUpPerson(server);
  const factorId = await addFactor(server, ann.id);
  await elevateSession(server, ann.sessionId, factorId);
  const aal = async () => (await call('GET', `/admin/users/${ann.id}/sessions`)).json[0].aal;
  expect(await aal()).toBe('aal2');
  expect((await call('DELETE', `/admin/users/${ann.id}/factors/${factorId}`)).status).toBe(200);
  expect(await aal()).toBe('aal1');
  const { json } = await refresh(server, ann.refreshToken);
  expect(claimsOf(json.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
  expect(await entriesAbout(server, 'factor_deleted', ann.id)).toMatchObject([
    { log_type: 'factor', traits: { user_id: ann.id, factor_id: factorId } },
  ]);
});

describe('passkeys', () => {
  it('are listed without keys, and deleted', async () => {
    const ann = await signUpPerson(server);
    const id = await addPasskey(server, ann.id);
    const path = `/admin/users/${ann.id}/passkeys`;
    expect((await call('GET', path)).json).toEqual([
      { id, friendly_name: 'Key', created_at: expect.any(String) },
    ]);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await call('GET', path)).json).toEqual([]);
  });

  it('are not available if disabled', async () => {
    const ann = await signUpPerson(server);
    const { key } = await serviceOf(server);
    const response = await send(withoutPasskeys, { path: `/admin/users/${ann.id}/passkeys`, bearer: key });
    expect([response.status, response.json.error_code]).toEqual([404, 'passkey_disabled']);
  });
});

it('links sent to a former address stop working after an admin changes the address', async () => {
  const ann = await signUpPerson(server);
  const link = await call('POST', '/admin/generate_link', { type: 'recovery', email: ann.email });
  await call('PUT', `/admin/users/${ann.id}`, { email: `new-${ann.email}` });
  const body = { type: 'recovery', token_hash: link.json.hashed_token };
  const response = await send(server, { method: 'POST', path: '/verify', body });
  expect([response.status, response.json.error_code]).toEqual([403, 'otp_expired']);
});
