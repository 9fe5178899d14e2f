import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { type Person, refresh, signInPerson, signUpPerson } from '../testing/people.ts';
import { play, send } from '../testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

const isSignedIn = async ({ accessToken, refreshToken }: Person) => {
  const { status } = await send(server, { path: '/user', bearer: accessToken });
  const refreshed = await refresh(server, refreshToken);
  expect(refreshed.status === 200, refreshed.text).toBe(status === 200);
  return status === 200;
};

describe('POST /logout', () => {
  it.each([
    ['', [false, false]],
    ['?scope=', [false, false]],
    ['?scope=global', [false, false]],
    ['?scope=local', [false, true]],
    ['?scope=others', [true, false]],
  ])('scope %s keeps [own session, other session]: %j', async (query, expected) => {
    const first = await signUpPerson(server);
    const second = await signInPerson(server, first.email);
    const stranger = await signUpPerson(server);
    const response = await send(server, {
      method: 'POST',
      path: `/logout${query}`,
      bearer: first.accessToken,
    });
    expect([response.status, response.text]).toEqual([204, '']);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual(expected);
    expect(await isSignedIn(stranger)).toBe(true);
  });

  it.each(['local', 'others'])('treats scope %s as global for a token without a session', async (scope) => {
    const first = await signUpPerson(server);
    const bearer = await server.keys.sign({
      sub: first.id,
      aud: 'authenticated',
      exp: Date.now() / 1000 + 60,
    });
    await play(server, { name: '', method: 'POST', path: `/logout?scope=${scope}`, bearer, status: 204 });
    expect(await isSignedIn(first)).toBe(false);
  });

  it('writes an audit log entry', async () => {
    const { id, accessToken } = await signUpPerson(server);
    await send(server, { method: 'POST', path: '/logout', bearer: accessToken });
    const rows = await server.database.admin.query({
      text: `select ip_address from auth.audit_log_entries
        where payload ->> 'actor_id' = $1 and payload ->> 'action' = 'logout'`,
      values: [id],
    });
    expect(rows).toEqual([{ ip_address: '127.0.0.1' }]);
  });

  it('rejects an unknown scope and ends no session', async () => {
    const first = await signUpPerson(server);
    const contains = ['"error_code":"validation_failed"', 'Unsupported logout scope \\"mine\\"'];
    const bearer = first.accessToken;
    await play(server, {
      name: '',
      method: 'POST',
      path: '/logout?scope=mine',
      bearer,
      status: 400,
      contains,
    });
    expect(await isSignedIn(first)).toBe(true);
  });

  it('requires an existing session', async () => {
    const { accessToken: bearer } = await signUpPerson(server);
    const logout = { name: '', method: 'POST', path: '/logout', bearer } as const;
    await play(server, { ...logout, status: 204 });
    await play(server, { ...logout, status: 403, contains: ['session_not_found'] });
    await play(server, { ...logout, bearer: undefined, status: 401, contains: ['no_authorization'] });
  });
});
