/** The official client's `auth.signInWithSSO` with a real identity provider. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceOf } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { registerIdentityProvider, samlEnv, submit, visit } from '../../testing/single-sign-on.ts';

let server: AuthServer;
let corp: Awaited<ReturnType<typeof registerIdentityProvider>>;
beforeAll(async () => {
  server = await startAuthServer(samlEnv());
  corp = await registerIdentityProvider(server, { domains: ['corp.example'] });
});
afterAll(async () => {
  await corp.idp.close();
  await server.close();
});

/** A client as in a browser, with storage for the state of a flow. */
function newClient(flowType: 'pkce' | 'implicit') {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const auth = {
    flowType,
    storage,
    persistSession: true,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  };
  return createClient(server.url.replace('/auth/v1', ''), 'anon', { auth }).auth;
}

it.each([{ domain: 'corp.example' }, 'providerId'] as const)('signs in under PKCE by %j', async (by) => {
  const auth = newClient('pkce');
  const target = by === 'providerId' ? { providerId: corp.id } : by;
  const options = { redirectTo: 'http://localhost:3000/confirm' };
  const { data, error } = await auth.signInWithSSO({ ...target, options });
  expect(error).toBeNull();
  const done = await submit(server, await visit(data?.url ?? ''));
  expect(done.location).toMatch(/^http:\/\/localhost:3000\/confirm\?code=/);
  const exchanged = await auth.exchangeCodeForSession(done.query.code ?? '');
  expect(exchanged.error).toBeNull();
  expect(exchanged.data.user?.app_metadata.provider).toBe(`sso:${corp.id}`);
  const level = await auth.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data?.currentAuthenticationMethods).toMatchObject([{ method: 'sso/saml' }]);
  expect((await auth.refreshSession()).error).toBeNull();
  expect((await auth.getUser()).data.user?.id).toBe(exchanged.data.user?.id);
});

it('signs in without PKCE, with the session of the fragment', async () => {
  const auth = newClient('implicit');
  const { data } = await auth.signInWithSSO({ domain: 'corp.example' });
  const { access_token = '', refresh_token = '' } = (await submit(server, await visit(data?.url ?? '')))
    .fragment;
  const { data: session, error } = await auth.setSession({ access_token, refresh_token });
  expect([error, session.user?.email]).toEqual([null, 'ann@corp.example']);
});

it('receives error messages', async () => {
  const { error } = await newClient('pkce').signInWithSSO({ domain: 'nobody.example' });
  expect([error?.status, error?.code]).toEqual([404, 'sso_provider_not_found']);
});

it('reads the accounts as an admin', async () => {
  const { key } = await serviceOf(server);
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const { admin } = createClient(server.url.replace('/auth/v1', ''), key, options).auth;
  const { data } = await admin.listUsers();
  const ann = data.users.find(({ email }) => email === 'ann@corp.example');
  const found = await admin.getUserById(ann?.id ?? '');
  expect(found.data.user?.identities).toMatchObject([{ provider: `sso:${corp.id}`, id: 'ann' }]);
  expect((await admin.deleteUser(ann?.id ?? '')).error).toBeNull();
  expect(
    (
      await submit(
        server,
        await visit((await newClient('implicit').signInWithSSO({ providerId: corp.id })).data?.url ?? ''),
      )
    ).status,
  ).toBe(302);
});

it('reports SSO in its settings', async () => {
  const settings = await (await fetch(`${server.url}/settings`)).json();
  expect(settings.saml_enabled).toBe(true);
});
