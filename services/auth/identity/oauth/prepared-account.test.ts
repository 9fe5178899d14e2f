/**
 * Account pre-hijacking: accounts that an attacker prepared under the address of a user who later signs in with
 * a provider.
 */
import { randomUUID } from 'node:crypto';
import { CLIENT_ID, type OpenidProvider, startOpenidProvider } from '@greenroom/testing/openid-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { newEmail, newPhone, PASSWORD } from '../../testing/people.ts';
import { send } from '../../testing/scenario.ts';

const ORIGIN = 'https://room.example';

let openid: OpenidProvider;
let server: AuthServer;
/** Accepts users with unverified addresses. */
let unconfirmed: AuthServer;
beforeAll(async () => {
  openid = await startOpenidProvider('http://127.0.0.1:54321/auth/v1/callback');
  const env = {
    SITE_URL: ORIGIN,
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
    GOTRUE_SMS_AUTOCONFIRM: 'true',
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: CLIENT_ID,
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'x',
    GOTRUE_EXTERNAL_GOOGLE_URL: openid.issuer,
  };
  server = await startAuthServer(env);
  unconfirmed = await startAuthServer(
    { ...env, GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS: 'true' },
    server,
  );
});
afterAll(async () => {
  await unconfirmed?.close();
  await server?.close();
  await openid?.close();
});

const post = (path: string, body: object = {}, bearer?: string) =>
  send(unconfirmed, { method: 'POST', path, body, bearer });

async function withIdToken(at: AuthServer, claims: object, more: object = {}, bearer?: string) {
  const id_token = await openid.idToken({ sub: randomUUID(), ...claims });
  const body = { provider: 'google', id_token, ...more };
  return send(at, { method: 'POST', path: '/token?grant_type=id_token', body, bearer });
}

async function passkeyOf(id: string, bearer: string) {
  const key = createAuthenticator(ORIGIN, 'room.example');
  const { json } = await post('/passkeys/registration/options', {}, bearer);
  const body = { challenge_id: json.challenge_id, credential: key.create(json.options) };
  const { status, text } = await post('/passkeys/registration/verify', body, bearer);
  expect(status, text).toBe(200);
  return async () => {
    const { json: challenge } = await post('/passkeys/authentication/options');
    const credential = key.get(challenge.options, Buffer.from(id).toString('base64url'));
    return post('/passkeys/authentication/verify', { challenge_id: challenge.challenge_id, credential });
  };
}

it('does not link other identities to an SSO account', async () => {
  const { json } = await withIdToken(server, { email: newEmail(), email_verified: true });
  const text = 'update auth.users set is_sso_user = true where id = $1';
  await server.database.admin.query({ text, values: [json.user.id] });
  const linked = await withIdToken(server, { email: newEmail() }, { link_identity: true }, json.access_token);
  expect([linked.status, linked.json.error_code], linked.text).toEqual([422, 'user_sso_managed']);
});

it('deletes abandoned flows when a sign-in begins', async () => {
  const old = async () => {
    const text = `select from auth.flow_state where created_at < now() - interval '1 day'`;
    return (await server.database.admin.query({ text })).length;
  };
  await server.database.admin.query({
    text: `insert into auth.flow_state (id, provider_type, authentication_method, created_at)
      select gen_random_uuid(), 'google', 'oauth', now() - interval '25 hours' from generate_series(1, 5)`,
  });
  expect(await old()).toBe(5);
  const begun = await fetch(`${server.url}/authorize?provider=google`, { redirect: 'manual' });
  expect([begun.status, await old()]).toEqual([302, 0]);
});

describe('a pre-hijacked account', () => {
  it('loses a confirmed phone number if its email address was unconfirmed', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const prepared = await post('/signup', { phone, password: PASSWORD });
    expect(prepared.status, prepared.text).toBe(200);
    const unproven = { email, email_verified: false };
    const linked = await withIdToken(server, unproven, { link_identity: true }, prepared.json.access_token);
    expect(linked.json.error_code ?? linked.json.code, linked.text).toBe('provider_email_needs_verification');

    const owner = await withIdToken(server, { email, email_verified: true });
    expect(owner.json.user, owner.text).toMatchObject({ email, phone: '' });
    expect(owner.json.user.identities).toHaveLength(1);
    const inByPhone = await post('/token?grant_type=password', { phone, password: PASSWORD });
    expect(inByPhone.json.user?.id).not.toBe(owner.json.user.id);
    const { status } = await send(server, { path: '/user', bearer: prepared.json.access_token });
    expect(status).toBe(403);
  });

  it('loses its passkey and second factor', async () => {
    const email = newEmail();
    const { json: prepared } = await withIdToken(unconfirmed, { email, email_verified: false });
    const signIn = await passkeyOf(prepared.user.id, prepared.access_token);
    const factor = await post('/factors', { factor_type: 'totp' }, prepared.access_token);
    expect(factor.status, factor.text).toBe(200);

    const owner = await withIdToken(unconfirmed, { email, email_verified: true });
    expect(owner.json.user, owner.text).toMatchObject({ id: prepared.user.id, email });
    expect(owner.json.user.factors ?? []).toEqual([]);
    expect((await signIn()).status).toBe(400);
  });

  it('invalidates codes and pending links issued before', async () => {
    const email = newEmail();
    const { json: prepared } = await withIdToken(unconfirmed, { email, email_verified: false });
    const text = `insert into auth.flow_state (id, provider_type, authentication_method, created_at, user_id,
      linking_target_id) values (gen_random_uuid(), 'google', 'oauth', now(), $1, null),
      (gen_random_uuid(), 'google', 'oauth', now(), null, $1)`;
    await unconfirmed.database.admin.query({ text, values: [prepared.user.id] });
    await withIdToken(unconfirmed, { email, email_verified: true });
    const left = await unconfirmed.database.admin.query({
      text: 'select from auth.flow_state where user_id = $1 or linking_target_id = $1',
      values: [prepared.user.id],
    });
    expect(left).toEqual([]);
  });
});
