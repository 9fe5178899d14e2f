/** Second factors over HTTP: apps, SMS and security keys. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { latestTo, messagesTo } from '../testing/mailbox.ts';
import {
  claimsOf,
  newEmail,
  newPhone,
  PASSWORD,
  type Person,
  refresh,
  signInPerson,
  signUpPerson,
} from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

const ORIGIN = 'https://room.example';
const RP_ID = 'room.example';

let server: AuthServer;
let withoutAny: AuthServer;
beforeAll(async () => {
  const env = { SITE_URL: ORIGIN, GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' };
  server = await startAuthServer({
    ...env,
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
    GOTRUE_MFA_MAX_ENROLLED_FACTORS: '4',
  });
  const off = Object.fromEntries(
    ['TOTP', 'PHONE', 'WEB_AUTHN'].flatMap((kind) => [
      [`GOTRUE_MFA_${kind}_ENROLL_ENABLED`, 'false'],
      [`GOTRUE_MFA_${kind}_VERIFY_ENABLED`, 'false'],
    ]),
  );
  withoutAny = await startAuthServer({ ...env, ...off }, server);
});
afterAll(async () => {
  await withoutAny.close();
  await server.close();
});

type Token = Pick<Person, 'accessToken'>;
const call = ({ accessToken }: Token, method: Call['method'], path: string, body?: object, on = server) =>
  send(on, { method: method ?? 'GET', path, bearer: accessToken, ...(body === undefined ? {} : { body }) });
const enroll = (person: Token, fields: object = {}) =>
  call(person, 'POST', '/factors', { factor_type: 'totp', ...fields });
const challenge = (person: Token, factorId: string, body: object = {}) =>
  call(person, 'POST', `/factors/${factorId}/challenge`, body);
const verify = (person: Token, factorId: string, body: object) =>
  call(person, 'POST', `/factors/${factorId}/verify`, body);

/** The code of an app, `steps` time steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function submitCode(person: Token, factorId: string, code: string) {
  const { json } = await challenge(person, factorId);
  return verify(person, factorId, { challenge_id: json.id, code });
}

/** A user with a verified app, at aal2. */
/** Time that a test of one account may need, in milliseconds. */
const ENOUGH_OF_STEP_MS = 5000;

/** Waits for the next step of codes if the current one ends soon: a code of the last step would become too old. */
async function waitForStep(): Promise<void> {
  const remaining = 30_000 - (Date.now() % 30_000);
  if (remaining < ENOUGH_OF_STEP_MS) await sleep(remaining);
}

async function withApp() {
  await waitForStep();
  const ann = await signUpPerson(server);
  const { json: factor } = await enroll(ann, { friendly_name: 'App' });
  const { json } = await submitCode(ann, factor.id, codeOf(factor.totp.secret, -1));
  return {
    ...ann,
    accessToken: json.access_token as string,
    factorId: factor.id,
    secret: factor.totp.secret,
  };
}

describe('an app factor', () => {
  it('is enrolled with a QR code and takes effect after its first use', async () => {
    const ann = await signUpPerson(server);
    const elsewhere = await signInPerson(server, ann.email);
    const { status, json, headers } = await enroll(ann, { friendly_name: 'My phone', issuer: 'Room' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json).toMatchObject({
      type: 'totp',
      friendly_name: 'My phone',
      totp: { qr_code: expect.stringMatching(/^<svg/), secret: expect.stringMatching(/^[A-Z2-7]{32}$/) },
    });
    const uri = new URL(json.totp.uri);
    expect([uri.protocol, uri.searchParams.get('issuer')]).toEqual(['otpauth:', 'Room']);
    expect((await call(ann, 'GET', '/user')).json.factors).toMatchObject([{ status: 'unverified' }]);

    const challenged = await challenge(ann, json.id);
    expect(challenged.json).toMatchObject({
      type: 'totp',
      id: expect.any(String),
      expires_at: expect.any(Number),
    });
    const { json: session } = await verify(ann, json.id, {
      challenge_id: challenged.json.id,
      code: codeOf(json.totp.secret),
    });
    expect(session.user.factors).toMatchObject([{ status: 'verified' }]);
    const claims = claimsOf(session.access_token);
    expect(claims).toMatchObject({ aal: 'aal2', session_id: ann.sessionId });
    expect(claims.amr.map(({ method }: { method: string }) => method)).toEqual(['totp', 'password']);
    expect(claimsOf((await refresh(server, session.refresh_token)).json.access_token).aal).toBe('aal2');
    // Sessions without the second factor end.
    expect((await refresh(server, elsewhere.refreshToken)).status).toBe(400);
  });

  it('raises the session and invalidates earlier refresh tokens, even within the reuse interval', async () => {
    const ann = await signUpPerson(server);
    const { json: next } = await refresh(server, ann.refreshToken);
    const { json: factor } = await enroll(ann, {});
    const { json: elevated } = await submitCode(ann, factor.id, codeOf(factor.totp.secret));
    for (const token of [ann.refreshToken, next.refresh_token]) {
      expect(await refresh(server, token)).toMatchObject({
        status: 400,
        json: { error_code: 'refresh_token_not_found' },
      });
    }
    expect((await refresh(server, elevated.refresh_token)).status).toBe(200);
  });

  it('stores no secret in plain text', async () => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann);
    const [row] = await server.database.admin.query<{ row: string }>({
      text: 'select to_json(f)::text as row from auth.mfa_factors f where id = $1',
      values: [json.id],
    });
    expect(row?.row).not.toContain(json.totp.secret);
  });

  it('of GoTrue with an unencrypted secret is accepted', async () => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann);
    await server.database.admin.query({
      text: 'update auth.mfa_factors set secret = $2 where id = $1',
      values: [json.id, json.totp.secret],
    });
    expect((await submitCode(ann, json.id, codeOf(json.totp.secret))).status).toBe(200);
  });

  it('accepts only the codes around the current time', async () => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann);
    for (const steps of [-3, 3]) {
      const { json: refused } = await submitCode(ann, json.id, codeOf(json.totp.secret, steps));
      expect(refused.error_code).toBe('mfa_verification_failed');
    }
    expect((await submitCode(ann, json.id, codeOf(json.totp.secret, 1))).status).toBe(200);
  });

  it('accepts a code once', async () => {
    const ann = await withApp();
    const code = codeOf(ann.secret);
    expect((await submitCode(ann, ann.factorId, code)).status).toBe(200);
    expect((await submitCode(ann, ann.factorId, code)).json.error_code).toBe('mfa_verification_failed');
  });

  it('accepts a code once for concurrent requests', async () => {
    const ann = await withApp();
    const code = codeOf(ann.secret);
    const challenges = await Promise.all(Array.from({ length: 6 }, () => challenge(ann, ann.factorId)));
    const responses = await Promise.all(
      challenges.map(({ json }) => verify(ann, ann.factorId, { challenge_id: json.id, code })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('accepts one answer to a challenge', async () => {
    const ann = await withApp();
    const { json } = await challenge(ann, ann.factorId);
    const use = (code: string) => verify(ann, ann.factorId, { challenge_id: json.id, code });
    expect((await use(codeOf(ann.secret))).status).toBe(200);
    expect((await use(codeOf(ann.secret, 1))).json.error_code).toBe('mfa_ip_address_mismatch');
  });

  it('limits guesses', async () => {
    const ann = await withApp();
    const { json } = await challenge(ann, ann.factorId);
    const wrong = ['000000', '000001', '000002'].filter((code) =>
      [-1, 0, 1].every((step) => codeOf(ann.secret, step) !== code),
    )[0];
    const statuses = [];
    for (let guess = 0; guess < 12; guess++) {
      statuses.push((await verify(ann, ann.factorId, { challenge_id: json.id, code: wrong ?? '' })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
    const right = { challenge_id: json.id, code: codeOf(ann.secret) };
    expect((await verify(ann, ann.factorId, right)).status).toBe(429);
  });

  it('rejects the right code after ten wrong ones at another node, and accepts one six minutes later', async () => {
    const ann = await withApp();
    const { json } = await challenge(ann, ann.factorId);
    const other = await startAuthServer({}, server);
    const submitCode = (code: string) =>
      send(other, {
        method: 'POST',
        path: `/factors/${ann.factorId}/verify`,
        bearer: ann.accessToken,
        body: { challenge_id: json.id, code },
      });
    for (let guess = 0; guess < 10; guess++) expect((await submitCode('12345')).status).toBe(422);
    await other.close();
    const use = async () => {
      const { json: next } = await challenge(ann, ann.factorId);
      return verify(ann, ann.factorId, { challenge_id: next.id, code: codeOf(ann.secret) });
    };
    expect((await use()).json.error_code).toBe('over_request_rate_limit');
    await server.database.admin.query({
      text: `update auth.mfa_factors set failed_at = failed_at - interval '361 seconds' where id = $1`,
      values: [ann.factorId],
    });
    expect((await use()).status).toBe(200);
    const [row] = await server.database.admin.query({
      text: 'select failures from auth.mfa_factors where id = $1',
      values: [ann.factorId],
    });
    expect(row).toEqual({ failures: 0 });
  });

  it('counts thirty concurrent wrong answers and compares ten', async () => {
    const ann = await withApp();
    const { json } = await challenge(ann, ann.factorId);
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => verify(ann, ann.factorId, { challenge_id: json.id, code: '12345' })),
    );
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('rejects an answer after five minutes', async () => {
    const ann = await withApp();
    const { json } = await challenge(ann, ann.factorId);
    await server.database.admin.query({
      text: `update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = $1`,
      values: [json.id],
    });
    const expired = await verify(ann, ann.factorId, { challenge_id: json.id, code: codeOf(ann.secret) });
    expect(expired.json.error_code).toBe('mfa_challenge_expired');
  });
});

describe('the enrolment', () => {
  it.each([
    [{ factor_type: 'sms' }, 400, 'validation_failed'],
    [{ factor_type: 'phone' }, 400, 'validation_failed'],
    [{ factor_type: 'phone', phone: '0' }, 400, 'validation_failed'],
    [{ friendly_name: 'x'.repeat(256) }, 400, 'validation_failed'],
    [{ friendly_name: 7 }, 400, 'bad_json'],
  ])('rejects %j', async (fields, status, code) => {
    const refused = await enroll(await signUpPerson(server), fields);
    expect([refused.status, refused.json.error_code]).toEqual([status, code]);
  });

  it('rejects a name that exists, even an empty one', async () => {
    const ann = await signUpPerson(server);
    for (const fields of [{}, { friendly_name: 'App' }]) {
      expect((await enroll(ann, fields)).status).toBe(200);
      expect((await enroll(ann, fields)).json.error_code).toBe('mfa_factor_name_conflict');
    }
  });

  it('rejects too many factors', async () => {
    const ann = await signUpPerson(server);
    for (const friendly_name of ['a', 'b', 'c', 'd']) await enroll(ann, { friendly_name });
    expect((await enroll(ann, { friendly_name: 'e' })).json.error_code).toBe('too_many_enrolled_mfa_factors');
  });

  it('deletes factors that were not verified in time', async () => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann);
    await server.database.admin.query({
      text: `update auth.mfa_factors set created_at = now() - interval '6 minutes' where id = $1`,
      values: [json.id],
    });
    expect((await enroll(ann)).status).toBe(200);
    expect((await challenge(ann, json.id)).status).toBe(404);
  });

  it('of a second factor requires aal2', async () => {
    const ann = await withApp();
    const weak = await signInPerson(server, ann.email);
    const refused = await enroll(weak, { friendly_name: 'Mine' });
    expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
    expect((await enroll(ann, { friendly_name: 'Mine' })).status).toBe(200);
  });

  it('rejects anonymous users', async () => {
    const { json } = await send(server, { method: 'POST', path: '/signup', body: {} });
    const refused = await enroll({ accessToken: json.access_token });
    expect([refused.status, refused.json.error_code]).toEqual([403, 'no_authorization']);
  });

  it.each([
    ['totp', 'mfa_totp_enroll_not_enabled'],
    ['phone', 'mfa_phone_enroll_not_enabled'],
    ['webauthn', 'mfa_webauthn_enroll_not_enabled'],
  ])('of %s can be disabled', async (factor_type, code) => {
    const ann = await signUpPerson(server);
    expect((await call(ann, 'POST', '/factors', { factor_type }, withoutAny)).json.error_code).toBe(code);
  });
});

describe('the use', () => {
  it.each([
    ['totp', 'mfa_totp_verify_not_enabled'],
    ['phone', 'mfa_phone_verify_not_enabled'],
    ['webauthn', 'mfa_webauthn_verify_not_enabled'],
  ])('of a factor of type %s can be disabled', async (factor_type, code) => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann, {
      factor_type,
      ...(factor_type === 'phone' && { phone: newPhone() }),
    });
    expect((await challenge(ann, json.id)).status).toBe(200);
    const refused = await call(ann, 'POST', `/factors/${json.id}/challenge`, {}, withoutAny);
    expect([refused.status, refused.json.error_code]).toEqual([422, code]);
  });
});

describe("another user's factor", () => {
  it('is not found', async () => {
    const [ann, bob] = [await withApp(), await withApp()];
    expect((await challenge(bob, ann.factorId)).json.error_code).toBe('mfa_factor_not_found');
    expect((await call(bob, 'DELETE', `/factors/${ann.factorId}`)).status).toBe(404);
    const { json } = await challenge(ann, ann.factorId);
    const stolen = await verify(bob, bob.factorId, { challenge_id: json.id, code: codeOf(bob.secret) });
    expect([stolen.status, stolen.json.error_code]).toEqual([422, 'mfa_factor_not_found']);
  });
});

describe('input', () => {
  it.each(['/factors/x/challenge', '/factors/x/verify'])(
    'of %s without a UUID is rejected with 404',
    async (path) => {
      const refused = await call(await signUpPerson(server), 'POST', path, {});
      expect([refused.status, refused.json.error_code]).toEqual([404, 'validation_failed']);
    },
  );

  it.each([
    [{ code: '' }, 400, 'validation_failed'],
    [{ code: '123456' }, 422, 'mfa_factor_not_found'],
    [{ code: '123456', challenge_id: 'x' }, 422, 'mfa_factor_not_found'],
    [{ code: '123456', challenge_id: randomUUID() }, 422, 'mfa_factor_not_found'],
    [{ code: 123456 }, 400, 'bad_json'],
    [{ webauthn: 'x' }, 400, 'bad_json'],
  ])('of a verification is rejected: %j', async (body, status, code) => {
    const ann = await withApp();
    const refused = await verify(ann, ann.factorId, body);
    expect([refused.status, refused.json.error_code]).toEqual([status, code]);
  });
});

describe('the deletion', () => {
  it('of a verified factor requires aal2 and lowers the session to aal1', async () => {
    const ann = await withApp();
    const weak = await signInPerson(server, ann.email);
    const refused = await call(weak, 'DELETE', `/factors/${ann.factorId}`);
    expect([refused.status, refused.json.error_code]).toEqual([422, 'insufficient_aal']);
    const removed = await call(ann, 'DELETE', `/factors/${ann.factorId}`);
    expect([removed.status, removed.json]).toEqual([200, { id: ann.factorId }]);
    const [session] = await server.database.admin.query<{ aal: string }>({
      text: 'select aal from auth.sessions where id = $1',
      values: [ann.sessionId],
    });
    expect(session?.aal).toBe('aal1');
  });

  it('of an unverified factor requires nothing', async () => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann);
    expect((await call(ann, 'DELETE', `/factors/${json.id}`)).status).toBe(200);
  });
});

describe('an SMS factor', () => {
  it('sends a code that is valid for its challenge', async () => {
    const ann = await signUpPerson(server);
    const phone = newPhone();
    const { json } = await enroll(ann, { factor_type: 'phone', phone: `+${phone}` });
    expect(json).toMatchObject({ type: 'phone', phone: `+${phone}` });
    const { json: challenged } = await challenge(ann, json.id);
    const { code, kind } = await latestTo(server, phone);
    expect(kind).toBe('mfa');
    const wrong = await verify(ann, json.id, { challenge_id: challenged.id, code: `${code}0` });
    expect(wrong.json.error_code).toBe('mfa_verification_failed');
    const { json: session } = await verify(ann, json.id, { challenge_id: challenged.id, code });
    expect(claimsOf(session.access_token).amr[0].method).toBe('mfa/phone');
    const limited = await challenge({ accessToken: session.access_token }, json.id);
    expect([limited.status, limited.json.error_code]).toEqual([429, 'over_sms_send_rate_limit']);
    expect(await messagesTo(server, phone)).toHaveLength(1);
  });

  it('rejects its code after ten wrong ones for its challenge', async () => {
    const ann = await signUpPerson(server);
    const phone = newPhone();
    const { json } = await enroll(ann, { factor_type: 'phone', phone });
    const { json: challenged } = await challenge(ann, json.id);
    const { code } = await latestTo(server, phone);
    const submitCode = (text: string) => verify(ann, json.id, { challenge_id: challenged.id, code: text });
    for (let guess = 0; guess < 10; guess++) {
      expect((await submitCode(`${code}0`)).json.error_code).toBe('mfa_verification_failed');
    }
    // Moves the failures of the factor an hour back.
    await server.database.admin.query({
      text: 'update auth.mfa_factors set failures = 0 where id = $1',
      values: [json.id],
    });
    expect((await submitCode(code)).json.error_code).toBe('mfa_verification_failed');
  });

  it('replaces an unverified factor with the same number, but not a verified one', async () => {
    const ann = await signUpPerson(server);
    const phone = newPhone();
    const first = await enroll(ann, { factor_type: 'phone', phone });
    const second = await enroll(ann, { factor_type: 'phone', phone });
    expect([first.status, second.status]).toEqual([200, 200]);
    const { json } = await challenge(ann, second.json.id);
    const { code } = await latestTo(server, phone);
    const verified = await verify(ann, second.json.id, { challenge_id: json.id, code });
    const again = await enroll({ accessToken: verified.json.access_token }, { factor_type: 'phone', phone });
    expect(again.json.error_code).toBe('mfa_verified_factor_exists');
  });
});

describe('a security key', () => {
  async function withKey(key = createAuthenticator(ORIGIN, RP_ID), person?: Person) {
    const ann = person ?? (await signUpPerson(server));
    const { json: factor } = await enroll(ann, { factor_type: 'webauthn', friendly_name: 'Key' });
    const { json: challenged } = await challenge(ann, factor.id);
    expect(challenged.webauthn).toMatchObject({
      type: 'create',
      credential_options: { publicKey: { rp: { id: RP_ID }, challenge: expect.any(String) } },
    });
    const credential_response = key.create(challenged.webauthn.credential_options.publicKey);
    const { json, status } = await verify(ann, factor.id, {
      challenge_id: challenged.id,
      webauthn: { type: 'create', credential_response, rpId: RP_ID, rpOrigins: [ORIGIN] },
    });
    expect(status, JSON.stringify(json)).toBe(200);
    return { ...ann, accessToken: json.access_token as string, factorId: factor.id as string, key };
  }

  async function use(ann: Awaited<ReturnType<typeof withKey>>, key = ann.key) {
    const { json } = await challenge(ann, ann.factorId);
    expect(json.webauthn).toMatchObject({
      type: 'request',
      credential_options: { publicKey: { allowCredentials: [{ id: ann.key.id }] } },
    });
    const credential_response = key.get(json.webauthn.credential_options.publicKey);
    const body = { challenge_id: json.id, webauthn: { type: 'request', credential_response } };
    return { body, ...(await verify(ann, ann.factorId, body)) };
  }

  it('is registered and used', async () => {
    const ann = await withKey();
    const { status, json } = await use(ann);
    expect(status).toBe(200);
    expect(claimsOf(json.access_token)).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, {}] });
  });

  it('is registered without verifying its attestation', async () => {
    const key = createAuthenticator(ORIGIN, RP_ID);
    const create: typeof key.create = (options) => key.create(options, 'android-key');
    const ann = await withKey({ ...key, create });
    expect((await use(ann)).status).toBe(200);
  });

  it('prevents the verification at aal1 of a factor that was enrolled before it', async () => {
    const ann = await signUpPerson(server);
    const { json: planted } = await enroll(ann, { friendly_name: 'Planted' });
    const { accessToken } = await withKey(undefined, ann);
    const weak = await signInPerson(server, ann.email);
    const refused = await submitCode(weak, planted.id, codeOf(planted.totp.secret, -1));
    expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
    const verified = await submitCode({ accessToken }, planted.id, codeOf(planted.totp.secret));
    expect(verified.status, verified.text).toBe(200);
  });

  it('is accepted once per challenge', async () => {
    const ann = await withKey();
    const { body } = await use(ann);
    expect((await verify(ann, ann.factorId, body)).json.error_code).toBe('mfa_ip_address_mismatch');
  });

  it.each([
    ['of another user', createAuthenticator(ORIGIN, RP_ID)],
    ['of another site', createAuthenticator('https://evil.test', RP_ID)],
  ])('%s is rejected', async (_, other) => {
    const ann = await withKey();
    expect((await use(ann, other)).json.error_code).toBe('mfa_verification_failed');
  });

  it('is rejected if its counter shows a copy', async () => {
    const ann = await withKey(createAuthenticator(ORIGIN, RP_ID, 100));
    expect((await use(ann)).status).toBe(200);
    await server.database.admin.query({
      text: `update auth.mfa_factors
        set web_authn_credential = jsonb_set(web_authn_credential, '{authenticator,signCount}', '1000') where id = $1`,
      values: [ann.factorId],
    });
    expect((await use(ann)).json.error_code).toBe('mfa_verification_failed');
  });

  it.each([
    [{}, 'WebAuthn config required'],
    [{ webauthn: {} }, 'WebAuthn type must be create or request'],
    [{ webauthn: { type: 'create' } }, 'credential_response required'],
    [{ webauthn: { type: 'create', credential_response: { id: 'x' } } }, 'Invalid credential_response'],
    [{ webauthn: { type: 'request', credential_response: 'x' } }, 'Invalid credential_response'],
  ])('rejects %j', async (body, message) => {
    const ann = await signUpPerson(server);
    const { json } = await enroll(ann, { factor_type: 'webauthn' });
    const { json: challenged } = await challenge(ann, json.id);
    const refused = await verify(ann, json.id, { challenge_id: challenged.id, ...body });
    expect([refused.status, refused.json.msg]).toEqual([400, message]);
  });
});

describe('the official client', () => {
  it('enrolls an app, uses it, and deletes it', async () => {
    const email = newEmail();
    const { auth } = createClient(server.url.replace('/auth/v1', ''), 'key', {
      auth: { persistSession: false },
    });
    await auth.signUp({ email, password: PASSWORD });
    const enrolled = await auth.mfa.enroll({ factorType: 'totp' });
    expect(enrolled.data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    const factorId = enrolled.data?.id ?? '';
    const code = codeOf(enrolled.data?.totp.secret ?? '');
    expect((await auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    const { data: levels } = await auth.mfa.getAuthenticatorAssuranceLevel();
    expect(levels).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
  });
});
