/** Sessions with which administrators use the site as a user, and other changes of the admin area. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminCall, entriesAbout, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { claimsOf, refresh, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer();
  ({ call } = await serviceOf(server));
});
afterAll(() => server.close());

const impersonate = (id: string) => call('POST', `/admin/users/${id}/impersonate`);

describe('POST /admin/users/:userId/impersonate', () => {
  it('opens a session of one hour that is marked, and is no sign-in of the user', async () => {
    const ann = await signUpPerson(server);
    const before = await call('GET', `/admin/users/${ann.id}`);
    const { status, json, headers } = await impersonate(ann.id);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(claimsOf(json.access_token)).toMatchObject({
      sub: ann.id,
      aal: 'aal1',
      amr: [{ method: 'impersonation' }],
    });
    const after = await call('GET', `/admin/users/${ann.id}`);
    expect(after.json).toEqual(before.json);
    const sessions = await call('GET', `/admin/users/${ann.id}/sessions`);
    const [opened] = sessions.json.filter(({ id }: { id: string }) => id !== ann.sessionId);
    const minutes = (Date.parse(opened.not_after) - Date.parse(opened.created_at)) / 60_000;
    expect(Math.round(minutes)).toBe(60);
    const entries = await entriesAbout(server, 'login', ann.id);
    expect(entries).toContainEqual(
      expect.objectContaining({ traits: { user_id: ann.id, method: 'impersonation' } }),
    );
    const refreshed = await refresh(server, json.refresh_token);
    expect(claimsOf(refreshed.json.access_token).amr).toMatchObject([{ method: 'impersonation' }]);
  });

  it('reads the account, and cannot change it', async () => {
    const ann = await signUpPerson(server);
    const bearer = (await impersonate(ann.id)).json.access_token;
    for (const path of ['/user', '/user/sessions']) {
      expect((await send(server, { method: 'GET', path, bearer })).status, path).toBe(200);
    }
    const refused = [
      { method: 'PUT', path: '/user', body: { password: 'another password' } },
      { method: 'DELETE', path: '/user', body: {} },
      { method: 'GET', path: '/user/export' },
      { method: 'GET', path: '/reauthenticate' },
      { method: 'POST', path: '/factors', body: { factor_type: 'totp' } },
      { method: 'DELETE', path: `/user/sessions/${ann.sessionId}` },
      { method: 'POST', path: '/logout' },
    ] as const;
    for (const request of refused) {
      const { status, json } = await send(server, { ...request, bearer });
      expect([status, json.error_code], request.path).toEqual([403, 'no_authorization']);
    }
    const left = await send(server, { method: 'POST', path: '/logout?scope=local', bearer });
    expect(left.status).toBe(204);
    const sessions = await call('GET', `/admin/users/${ann.id}/sessions`);
    expect(sessions.json.map(({ id }: { id: string }) => id)).toEqual([ann.sessionId]);
  });

  it('refuses administrators, banned and unknown users, and callers without the service key', async () => {
    const [root, banned, ann] = await Promise.all([1, 2, 3].map(() => signUpPerson(server)));
    await call('PUT', `/admin/users/${root?.id}`, { role: 'service_role' });
    await call('PUT', `/admin/users/${banned?.id}`, { ban_duration: '1h' });
    expect((await impersonate(root?.id ?? '')).json.error_code).toBe('not_admin');
    expect((await impersonate(banned?.id ?? '')).json.error_code).toBe('user_banned');
    expect((await impersonate(crypto.randomUUID())).json.error_code).toBe('user_not_found');
    const path = `/admin/users/${banned?.id}/impersonate`;
    const denied = await send(server, { method: 'POST', path, bearer: ann?.accessToken ?? '' });
    expect([denied.status, denied.json.error_code]).toEqual([403, 'not_admin']);
  });
});

describe('PUT /admin/users/:userId with if_updated_at', () => {
  it('changes the user only if it has not changed since that time', async () => {
    const ann = await signUpPerson(server);
    const { json } = await call('GET', `/admin/users/${ann.id}`);
    const change = { user_metadata: { a: 1 }, if_updated_at: json.updated_at };
    expect((await call('PUT', `/admin/users/${ann.id}`, change)).status).toBe(200);
    const second = await call('PUT', `/admin/users/${ann.id}`, { ...change, user_metadata: { a: 2 } });
    expect([second.status, second.json.error_code]).toEqual([409, 'conflict']);
    expect((await call('GET', `/admin/users/${ann.id}`)).json.user_metadata).toMatchObject({ a: 1 });
    const invalid = await call('PUT', `/admin/users/${ann.id}`, { if_updated_at: 'then' });
    expect(invalid.json.error_code).toBe('validation_failed');
  });
});

describe('DELETE /admin/users/:userId/sessions', () => {
  it('ends all sessions', async () => {
    const ann = await signUpPerson(server);
    expect((await call('DELETE', `/admin/users/${ann.id}/sessions`)).status).toBe(204);
    expect((await call('GET', `/admin/users/${ann.id}/sessions`)).json).toEqual([]);
  });
});

describe('DELETE /admin/users/:userId/identities/:identityId', () => {
  it('unlinks an identity, but never the last one', async () => {
    const ann = await signUpPerson(server);
    await call('PUT', `/admin/users/${ann.id}`, { phone: '+15550142', phone_confirm: true });
    const identities = async () => (await call('GET', `/admin/users/${ann.id}`)).json.identities;
    const [first, second] = await identities();
    const unlink = (id: string) => call('DELETE', `/admin/users/${ann.id}/identities/${id}`);
    expect((await unlink(second.identity_id)).status).toBe(204);
    expect(await identities()).toHaveLength(1);
    expect((await unlink(first.identity_id)).json.error_code).toBe('single_identity_not_deletable');
  });
});
