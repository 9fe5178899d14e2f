/** Passkeys over HTTP, with a software authenticator. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { type Authenticator, createAuthenticator } from '../../testing/authenticator.ts';
import { claimsOf, PASSWORD, type Person, refresh, signUpPerson } from '../../testing/people.ts';
import { type Call, send } from '../../testing/scenario.ts';

const ORIGIN = 'https://room.example';
const RP_ID = 'room.example';

let server: AuthServer;
let closed: AuthServer;
beforeAll(async () => {
  const env = { SITE_URL: ORIGIN, GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' };
  server = await startAuthServer({ ...env, GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER: '2' });
  closed = await startAuthServer({ ...env, GOTRUE_PASSKEY_ENABLED: 'false' }, server);
});
afterAll(async () => {
  await closed.close();
  await server.close();
});

type Token = Pick<Person, 'accessToken'>;
const call = (method: Call['method'], path: string, person?: Token, body: object | undefined = {}) =>
  send(server, {
    method: method ?? 'GET',
    path,
    bearer: person?.accessToken,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
  });
const post = (path: string, body: object = {}, person?: Token) => call('POST', path, person, body);

async function register(person: Person, key: Authenticator = createAuthenticator(ORIGIN, RP_ID)) {
  const { json: challenge } = await post('/passkeys/registration/options', {}, person);
  const body = { challenge_id: challenge.challenge_id, credential: key.create(challenge.options) };
  return { key, challenge, body, ...(await post('/passkeys/registration/verify', body, person)) };
}

async function signIn(person: Person, key: Authenticator, handle: string = person.id) {
  const { json: challenge } = await post('/passkeys/authentication/options');
  const credential = key.get(challenge.options, Buffer.from(handle).toString('base64url'));
  const body = { challenge_id: challenge.challenge_id, credential };
  return { challenge, body, ...(await post('/passkeys/authentication/verify', body)) };
}

describe('a passkey', () => {
  it('is registered, signs in, is renamed, and deleted', async () => {
    const ann = await signUpPerson(server);
    const { key, challenge, status, json } = await register(ann);
    expect(challenge.options).toMatchObject({
      rp: { id: RP_ID },
      authenticatorSelection: { residentKey: 'required' },
    });
    expect([status, Object.keys(json).sort()]).toEqual([200, ['created_at', 'id']]);

    const signedIn = await signIn(ann, key);
    expect(signedIn.challenge.options.allowCredentials ?? []).toEqual([]);
    expect(signedIn.status).toBe(200);
    expect(claimsOf(signedIn.json.access_token)).toMatchObject({
      sub: ann.id,
      aal: 'aal1',
      amr: [{ method: 'passkey' }],
    });

    const renamed = await call('PATCH', `/passkeys/${json.id}`, ann, { friendly_name: 'Key' });
    expect(renamed.json).toMatchObject({
      id: json.id,
      friendly_name: 'Key',
      last_used_at: expect.any(String),
    });
    expect((await call('GET', '/passkeys', ann)).json).toEqual([renamed.json]);
    expect((await call('DELETE', `/passkeys/${json.id}`, ann)).status).toBe(204);
    expect((await signIn(ann, key)).json.error_code).toBe('webauthn_verification_failed');
  });

  it.each([
    ['that verifies its user counts as two factors', true, true],
    ['that does not verify its user is one factor', false, false],
    ['from before the second factor is one factor', true, false],
  ])('%s', async (name, requiresVerification, verifies) => {
    const ann = await signUpPerson(server);
    const { key } = await register(ann, createAuthenticator(ORIGIN, RP_ID, 0, requiresVerification));
    await server.database.admin.query({
      text: `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, '', 'totp', 'verified', $2, $2)`,
      values: [ann.id, new Date(Date.now() + (name.startsWith('from before') ? 1000 : -60_000))],
    });
    // A claim that the session does not confirm has no effect.
    const forged = await server.keys.sign({ ...claimsOf(ann.accessToken), user_verified: true });
    expect((await call('GET', '/user/export', { accessToken: forged })).status).toBe(403);
    const { json } = await signIn(ann, key);
    const { json: renewed } = await refresh(server, json.refresh_token);
    for (const { access_token: accessToken } of [json, renewed]) {
      // The hosted service returns the same assurance level.
      expect(claimsOf(accessToken)).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] });
      expect(claimsOf(accessToken).user_verified).toBe(verifies ? true : undefined);
      const exported = await call('GET', '/user/export', { accessToken });
      expect(exported.status).toBe(verifies ? 200 : 403);
      const changed = await call(
        'PUT',
        '/user',
        { accessToken },
        { password: `${PASSWORD} ${randomUUID()}` },
      );
      expect(changed.json.error_code).toBe(verifies ? undefined : 'insufficient_aal');
    }
  });

  // The client chooses the certificates of an attestation. Verifying them would fetch the URLs that they contain.
  it.each(['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'packed', 'tpm'])(
    'is registered without verifying its attestation of format %s',
    async (format) => {
      const ann = await signUpPerson(server);
      const key = createAuthenticator(ORIGIN, RP_ID);
      const create: Authenticator['create'] = (options) => key.create(options, format);
      const { status, text } = await register(ann, { ...key, create });
      expect(status, text).toBe(200);
      expect((await signIn(ann, key)).status).toBe(200);
    },
  );

  it('accepts one of several concurrent answers to a challenge', async () => {
    const ann = await signUpPerson(server);
    const { key } = await register(ann);
    const { json: challenge } = await post('/passkeys/authentication/options');
    const credential = key.get(challenge.options, Buffer.from(ann.id).toString('base64url'));
    const body = { challenge_id: challenge.challenge_id, credential };
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => post('/passkeys/authentication/verify', body)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = responses.map(({ json }) => json.error_code).filter(Boolean);
    expect(new Set(codes)).toEqual(new Set(['webauthn_challenge_not_found']));
  });

  it.each([
    ['of an unknown user', createAuthenticator(ORIGIN, RP_ID), undefined],
    ['of another site', createAuthenticator('https://evil.test', RP_ID), undefined],
  ])('%s is rejected', async (_, key) => {
    const ann = await signUpPerson(server);
    await register(ann);
    expect((await signIn(ann, key)).json.error_code).toBe('webauthn_verification_failed');
  });

  it('signs in only its owner, regardless of the user handle', async () => {
    const [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
    const { key } = await register(ann);
    expect((await signIn(ann, key, bob.id)).json.error_code).toBe('webauthn_verification_failed');
  });

  it('is rejected if its counter shows a copy', async () => {
    const ann = await signUpPerson(server);
    const { key, json } = await register(ann);
    await server.database.admin.query({
      text: 'update auth.webauthn_credentials set sign_count = 1000 where id = $1',
      values: [json.id],
    });
    expect((await signIn(ann, key)).json.error_code).toBe('webauthn_verification_failed');
  });

  it('of a banned user is rejected', async () => {
    const ann = await signUpPerson(server);
    const { key } = await register(ann);
    await server.database.admin.query({
      text: `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
      values: [ann.id],
    });
    expect((await signIn(ann, key)).json.error_code).toBe('user_banned');
  });

  it('cannot be used by another user', async () => {
    const [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
    const { json } = await register(ann);
    expect((await call('PATCH', `/passkeys/${json.id}`, bob, { friendly_name: 'x' })).status).toBe(404);
    expect((await call('DELETE', `/passkeys/${json.id}`, bob)).status).toBe(404);
    expect((await call('GET', '/passkeys', bob)).json).toEqual([]);
  });
});

describe('registering', () => {
  it('rejects the same passkey twice, and too many passkeys', async () => {
    const ann = await signUpPerson(server);
    const { key } = await register(ann);
    expect((await register(ann, key)).json.error_code).toBe('webauthn_credential_exists');
    const { body } = await register(ann);
    expect((await post('/passkeys/registration/options', {}, ann)).json.error_code).toBe('too_many_passkeys');
    const again = await post('/passkeys/registration/verify', body, ann);
    expect(again.json.error_code).toBe('webauthn_challenge_not_found');
  });

  it('rejects the challenge of another user', async () => {
    const [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
    const { json: challenge } = await post('/passkeys/registration/options', {}, ann);
    const credential = createAuthenticator(ORIGIN, RP_ID).create(challenge.options);
    const body = { challenge_id: challenge.challenge_id, credential };
    const stolen = await post('/passkeys/registration/verify', body, bob);
    expect(stolen.json.error_code).toBe('webauthn_challenge_not_found');
  });

  it('rejects an expired challenge', async () => {
    const ann = await signUpPerson(server);
    const { json: challenge } = await post('/passkeys/registration/options', {}, ann);
    await server.database.admin.query({
      text: `update auth.webauthn_challenges set expires_at = now() - interval '1 second' where id = $1`,
      values: [challenge.challenge_id],
    });
    const credential = createAuthenticator(ORIGIN, RP_ID).create(challenge.options);
    const body = { challenge_id: challenge.challenge_id, credential };
    const expired = await post('/passkeys/registration/verify', body, ann);
    expect(expired.json.error_code).toBe('webauthn_challenge_expired');
  });

  it('rejects anonymous users and requests without a session', async () => {
    const { json } = await send(server, { method: 'POST', path: '/signup', body: {} });
    const anonymous = await post('/passkeys/registration/options', {}, { accessToken: json.access_token });
    expect([anonymous.status, anonymous.json.error_code]).toEqual([403, 'no_authorization']);
    expect((await post('/passkeys/registration/options')).status).toBe(401);
  });
});

describe('input of the passkey endpoints', () => {
  it.each([
    [{}, 'validation_failed'],
    [{ challenge_id: randomUUID() }, 'validation_failed'],
    [{ challenge_id: 'x', credential: {} }, 'validation_failed'],
    [{ challenge_id: randomUUID(), credential: {} }, 'webauthn_challenge_not_found'],
    [{ challenge_id: 7 }, 'bad_json'],
  ])('rejects %j', async (body, code) => {
    expect(await post('/passkeys/authentication/verify', body)).toMatchObject({
      status: 400,
      json: { error_code: code },
    });
    const ann = await signUpPerson(server);
    expect((await post('/passkeys/registration/verify', body, ann)).json.error_code).toBe(code);
  });

  it.each([{}, 'x', { id: 'x', response: [] }])(
    'consumes the challenge of an invalid credential: %j',
    async (credential) => {
      const { json: challenge } = await post('/passkeys/authentication/options');
      const body = { challenge_id: challenge.challenge_id, credential };
      const first = await post('/passkeys/authentication/verify', body);
      expect(first.json.error_code).toBe('webauthn_verification_failed');
      const second = await post('/passkeys/authentication/verify', body);
      expect(second.json.error_code).toBe('webauthn_challenge_not_found');
    },
  );

  it.each(['', 'x'.repeat(121)])('validates names', async (friendly_name) => {
    const ann = await signUpPerson(server);
    const { json } = await register(ann);
    expect((await call('PATCH', `/passkeys/${json.id}`, ann, { friendly_name })).status).toBe(400);
  });
});

describe('admins', () => {
  it('list and delete passkeys', async () => {
    const ann = await signUpPerson(server);
    const { json } = await register(ann);
    const admin = { accessToken: await server.keys.sign({ role: 'service_role', exp: 4_000_000_000 }) };
    const path = `/admin/users/${ann.id}/passkeys`;
    expect((await call('GET', path, admin)).json).toMatchObject([{ id: json.id }]);
    expect((await call('DELETE', `${path}/${json.id}`, admin)).status).toBe(204);
    expect((await call('DELETE', `${path}/${json.id}`, admin)).status).toBe(404);
    expect((await call('GET', path, ann)).status).toBe(403);
  });
});

describe('disabled passkeys', () => {
  it.each(['/passkeys/registration/options', '/passkeys/authentication/options'])(
    'respond to %s with 404',
    async (path) => {
      const ann = await signUpPerson(server);
      const response = await send(closed, { method: 'POST', path, body: {}, bearer: ann.accessToken });
      expect([response.status, response.json.error_code]).toEqual([404, 'passkey_disabled']);
    },
  );
});
