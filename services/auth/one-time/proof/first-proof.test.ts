/** Effects of the first proof of an address that another person may have used for a sign-up. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CLIENT_ID, type OpenidProvider, startOpenidProvider } from '@greenroom/testing/openid-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authService } from '../../index.ts';
import { addFactor, serviceOf } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer, waitForLock } from '../../testing/auth-server.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { latestTo, openLink } from '../../testing/mailbox.ts';
import { newApp, signInTo, startOAuthServer } from '../../testing/oauth.ts';
import { newEmail, newPhone, PASSWORD, type Person, refresh, signUpPerson } from '../../testing/people.ts';
import { send, type TestResponse } from '../../testing/scenario.ts';

const ORIGIN = 'https://room.example';
const TEST_NUMBER = '15550001111';
const QUICK = {
  SITE_URL: ORIGIN,
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '10000',
  GOTRUE_RATE_LIMIT_SMS_SENT: '10000',
  GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
  GOTRUE_SMS_TEST_OTP: `${TEST_NUMBER}=123456`,
};

let openid: OpenidProvider;
let server: Awaited<ReturnType<typeof startOAuthServer>>;
/** A server that confirms addresses by mail. */
let strict: AuthServer;
beforeAll(async () => {
  openid = await startOpenidProvider('http://127.0.0.1:54321/auth/v1/callback');
  const google = {
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: CLIENT_ID,
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'x',
    GOTRUE_EXTERNAL_GOOGLE_URL: openid.issuer,
  };
  server = await startOAuthServer({ ...QUICK, ...google });
  const confirming = { GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_SMS_AUTOCONFIRM: 'false' };
  strict = await startAuthServer({ ...QUICK, ...confirming }, server);
});
afterAll(async () => {
  await strict?.close();
  await server?.close();
  await openid?.close();
});

const post = (path: string, body: object = {}, bearer?: string, on: AuthServer = server) =>
  send(on, { method: 'POST', path, body, bearer });
const put = (bearer: string, body: object) => send(server, { method: 'PUT', path: '/user', bearer, body });
const execute = (text: string, ...values: unknown[]) =>
  server.database.admin.query<Record<string, unknown>>({ text, values });
const signIn = async (by: object, password = PASSWORD) =>
  (await post('/token?grant_type=password', { ...by, password })).status;
const userStatus = async (bearer: string) => (await send(server, { path: '/user', bearer })).status;
const provenOf = async (id: string) => {
  const rows = await execute(
    'select address from auth.proven_addresses where user_id = $1 order by kind',
    id,
  );
  return rows.map(({ address }) => address);
};

/** The remaining access of an earlier user of the account. */
async function accessOf(person: Person) {
  return {
    password: (await signIn({ email: person.email })) === 200,
    session: (await userStatus(person.accessToken)) === 200,
    refresh: (await refresh(server, person.refreshToken)).status === 200,
  };
}
const ALL = { password: true, session: true, refresh: true };
const NO_ACCESS = { password: false, session: false, refresh: false };

async function byGoogle(email: string, bearer?: string): Promise<TestResponse> {
  const id_token = await openid.idToken({ sub: randomUUID(), email, email_verified: true });
  return post('/token?grant_type=id_token', { provider: 'google', id_token }, bearer);
}

async function byRecovery(email: string, bearer?: string): Promise<TestResponse> {
  await post('/recover', { email });
  return post('/verify', { type: 'recovery', email, token: (await latestTo(server, email)).code }, bearer);
}

async function byCode(email: string, bearer?: string): Promise<TestResponse> {
  await post('/otp', { email });
  return post('/verify', { type: 'email', email, token: (await latestTo(server, email)).code }, bearer);
}

async function byLink(email: string, bearer?: string): Promise<TestResponse> {
  await post('/magiclink', { email });
  const { token } = await latestTo(server, email);
  return post('/verify', { type: 'magiclink', token_hash: token }, bearer);
}

async function confirmSignUp(email: string): Promise<TestResponse> {
  await post('/signup', { email, password: PASSWORD }, undefined, strict);
  return post('/verify', { type: 'signup', token_hash: (await latestTo(server, email)).token });
}

const PROOFS = [byCode, byLink, byRecovery, byGoogle];
const NAMED_PROOFS = [
  ['the code of a magic link', byCode],
  ['the link of a magic link', byLink],
  ['a recovery', byRecovery],
  ['a provider that vouches for it', byGoogle],
] as const;

describe.each(NAMED_PROOFS)('the first proof of an autoconfirmed address by %s', (_, prove) => {
  it('ends earlier passwords, sessions and refresh tokens', async () => {
    const prepared = await signUpPerson(server);
    const { status, json, text } = await prove(prepared.email);
    expect([status, json.user?.id], text).toEqual([200, prepared.id]);
    expect(await accessOf(prepared)).toEqual(NO_ACCESS);
    expect(await userStatus(json.access_token)).toBe(200);
    expect(await provenOf(prepared.id)).toEqual([prepared.email]);
  });

  it('writes an audit entry', async () => {
    const prepared = await signUpPerson(server);
    await prove(prepared.email);
    const entries = await execute(
      `select payload -> 'traits' as traits from auth.audit_log_entries
        where payload ->> 'actor_id' = $1 and payload -> 'traits' ->> 'reason' = 'address_proven'`,
      prepared.id,
    );
    expect(entries).toEqual([{ traits: { reason: 'address_proven', address: 'email' } }]);
  });

  it('keeps a verified second factor and deletes an unverified one', async () => {
    const prepared = await signUpPerson(server);
    const unused = { factor_type: 'totp', friendly_name: 'Never used' };
    expect((await post('/factors', unused, prepared.accessToken)).status).toBe(200);
    const factor = await addFactor(server, prepared.id);
    const { json } = await prove(prepared.email);
    expect(json.user.factors).toMatchObject([{ id: factor, status: 'verified' }]);
    expect(json.user.factors).toHaveLength(1);
  });

  it('keeps all access with a session of the account, and so does a later proof without a session', async () => {
    const ann = await signUpPerson(server);
    expect((await prove(ann.email, ann.accessToken)).status).toBe(200);
    expect(await provenOf(ann.id)).toEqual([ann.email]);
    expect((await prove(ann.email)).status).toBe(200);
    expect(await accessOf(ann)).toEqual(ALL);
  });

  it('ends all access with a session of another account', async () => {
    const [prepared, other] = [await signUpPerson(server), await signUpPerson(server)];
    expect((await prove(prepared.email, other.accessToken)).status).toBe(200);
    expect(await accessOf(prepared)).toEqual(NO_ACCESS);
    expect(await accessOf(other)).toEqual(ALL);
  });

  it('ends all access with a session that has ended', async () => {
    const prepared = await signUpPerson(server);
    await execute('delete from auth.sessions where id = $1', prepared.sessionId);
    await prove(prepared.email, prepared.accessToken);
    expect(await signIn({ email: prepared.email })).toBe(400);
  });
});

describe('the first proof of an autoconfirmed address', () => {
  it('deletes passkeys', async () => {
    const prepared = await signUpPerson(server);
    const key = createAuthenticator(ORIGIN, 'room.example');
    const { json: challenge } = await post('/passkeys/registration/options', {}, prepared.accessToken);
    const registration = { challenge_id: challenge.challenge_id, credential: key.create(challenge.options) };
    expect((await post('/passkeys/registration/verify', registration, prepared.accessToken)).status).toBe(
      200,
    );
    await byRecovery(prepared.email);
    const { json } = await post('/passkeys/authentication/options');
    const credential = key.get(json.options, Buffer.from(prepared.id).toString('base64url'));
    const body = { challenge_id: json.challenge_id, credential };
    expect((await post('/passkeys/authentication/verify', body)).status).toBe(400);
  });

  it('revokes grants of OAuth applications', async () => {
    const prepared = await signUpPerson(server);
    const tokens = await signInTo(server, await newApp(server), prepared);
    const { json } = await byRecovery(prepared.email);
    expect(await userStatus(tokens.access_token)).toBe(403);
    const grants = await send(server, { path: '/user/oauth/grants', bearer: json.access_token });
    expect([grants.status, grants.json]).toEqual([200, []]);
  });

  it('deletes identities with other addresses and the phone number, and keeps the identity with the address', async () => {
    const prepared = await signUpPerson(server);
    const id_token = await openid.idToken({ sub: randomUUID(), email: newEmail(), email_verified: true });
    const link = { provider: 'google', id_token, link_identity: true };
    const linked = await post('/token?grant_type=id_token', link, prepared.accessToken);
    expect(linked.status, linked.text).toBe(200);
    expect((await put(prepared.accessToken, { phone: newPhone() })).status).toBe(200);
    const { json } = await byRecovery(prepared.email);
    expect(json.user.identities.map(({ provider }: { provider: string }) => provider)).toEqual(['email']);
    expect([json.user.phone, json.user.app_metadata.providers]).toEqual(['', ['email']]);
  });

  it('cancels a pending change of address', async () => {
    const prepared = await signUpPerson(server);
    const email = newEmail();
    await put(prepared.accessToken, { email });
    const { token } = await latestTo(server, email);
    await byRecovery(prepared.email);
    expect((await post('/verify', { type: 'email_change', token_hash: token })).status).toBe(403);
  });

  it('leads to a session with PKCE', async () => {
    const prepared = await signUpPerson(server);
    const verifier = 'v'.repeat(43);
    await post('/otp', { email: prepared.email, code_challenge: verifier, code_challenge_method: 'plain' });
    const { query } = await openLink(server, (await latestTo(server, prepared.email)).link ?? '');
    const exchange = { auth_code: query.code, code_verifier: verifier };
    const { status, json } = await post('/token?grant_type=pkce', exchange);
    expect([status, json.user?.id]).toEqual([200, prepared.id]);
    expect(await accessOf(prepared)).toEqual(NO_ACCESS);
  });

  it('prevents concurrent password sign-ins, refreshes and profile changes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const prepared = await signUpPerson(server);
      await post('/recover', { email: prepared.email });
      const { code } = await latestTo(server, prepared.email);
      const attempts = [0, 1, 2, 3].flatMap((attempt) => [
        post('/token?grant_type=password', { email: prepared.email, password: PASSWORD }),
        refresh(server, prepared.refreshToken),
        put(prepared.accessToken, { data: { attempt } }),
      ]);
      const proof = await post('/verify', { type: 'recovery', email: prepared.email, token: code });
      const responses = await Promise.all(attempts);
      expect(proof.status, proof.text).toBe(200);
      expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
      for (const { json } of responses) {
        if (json.access_token) expect(await userStatus(json.access_token)).toBe(403);
      }
      expect(await userStatus(proof.json.access_token)).toBe(200);
    }
  });

  it('waits for another transaction that has locked a session', async () => {
    const prepared = await signUpPerson(server);
    await post('/recover', { email: prepared.email });
    const { code } = await latestTo(server, prepared.email);
    const proving = await server.database.admin.transaction(async (blocker) => {
      await blocker.query({
        text: 'select from auth.sessions where id = $1 for update',
        values: [prepared.sessionId],
      });
      const verifying = post('/verify', { type: 'recovery', email: prepared.email, token: code });
      await execute('select pg_sleep(0.2)');
      return [verifying];
    });
    const [response] = await Promise.all(proving);
    expect(response?.status, response?.text).toBe(200);
    expect(await accessOf(prepared)).toEqual(NO_ACCESS);
  });

  it.each([
    ['password', { password: 'a planted horse' }],
    ['data', { data: { planted: true } }],
  ])('rejects a change of %s that started with the session before it ended', async (_, change) => {
    const prepared = await signUpPerson(server);
    const changing = await server.database.admin.transaction(async (blocker) => {
      await blocker.query({
        text: 'select from auth.sessions where id = $1 for update',
        values: [prepared.sessionId],
      });
      const sent = put(prepared.accessToken, change);
      await waitForLock(server);
      await blocker.commit([
        { text: 'delete from auth.sessions where id = $1', values: [prepared.sessionId] },
      ]);
      return [sent];
    });
    const [response] = await Promise.all(changing);
    expect([response?.status, response?.json.error_code]).toEqual([403, 'session_not_found']);
    expect(await signIn({ email: prepared.email })).toBe(200);
  });

  it('is still possible after a change of address that only the previous mailbox confirmed', async () => {
    const prepared = await signUpPerson(server);
    const email = newEmail();
    await put(prepared.accessToken, { email });
    const { token } = await latestTo(server, prepared.email);
    const changed = await post('/verify', { type: 'email_change', token_hash: token });
    expect([changed.status, changed.json.user?.email]).toEqual([200, email]);
    await byRecovery(email);
    expect(await signIn({ email })).toBe(400);
  });

  it('is still possible after an anonymous user took the address', async () => {
    const { json } = await post('/signup');
    const email = newEmail();
    expect((await put(json.access_token, { email })).json.email).toBe(email);
    expect((await byGoogle(email)).json.user.id).toBe(json.user.id);
    expect(await userStatus(json.access_token)).toBe(403);
  });
});

describe('the confirmation of an account that another person signed up', () => {
  const PLANTED = 'a planted horse';
  const signUpStrictly = (by: object, password: string) =>
    post('/signup', { ...by, password }, undefined, strict);

  it.each(['/otp', '/magiclink'])("by a message of %s removes that person's password", async (path) => {
    const email = newEmail();
    await signUpStrictly({ email }, PLANTED);
    await post(path, { email }, undefined, strict);
    const { code } = await latestTo(strict, email);
    const response = await post('/verify', { type: 'email', email, token: code }, undefined, strict);
    expect(response.status).toBe(200);
    expect(await signIn({ email }, PLANTED)).toBe(400);
  });

  it("by a code to the phone removes that person's password", async () => {
    const phone = newPhone();
    await signUpStrictly({ phone }, PLANTED);
    await post('/otp', { phone }, undefined, strict);
    const { code } = await latestTo(strict, phone);
    const response = await post('/verify', { type: 'sms', phone, token: code }, undefined, strict);
    expect(response.status).toBe(200);
    expect(await signIn({ phone }, PLANTED)).toBe(400);
  });
});

describe('a proof that is not the first', () => {
  it('keeps all access after the confirmation of a sign-up, which keeps its password', async () => {
    const email = newEmail();
    const { json } = await confirmSignUp(email);
    for (const prove of PROOFS) expect((await prove(email)).status).toBe(200);
    expect([await signIn({ email }), await userStatus(json.access_token)]).toEqual([200, 200]);
  });

  it('keeps all access after an admin confirmed the address', async () => {
    const { call } = await serviceOf(server);
    const email = newEmail();
    await call('POST', '/admin/users', { email, password: PASSWORD, email_confirm: true });
    for (const prove of PROOFS) expect((await prove(email)).status).toBe(200);
    expect(await signIn({ email })).toBe(200);
  });

  it('keeps all access after a change of address that the new mailbox confirmed', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    await put(ann.accessToken, { email });
    await post('/verify', { type: 'email_change', token_hash: (await latestTo(server, email)).token });
    expect(await provenOf(ann.id)).toEqual([email]);
    await byRecovery(email);
    expect(await signIn({ email })).toBe(200);
  });

  it('keeps all access to an account that an external provider created', async () => {
    const email = newEmail();
    const { json } = await byGoogle(email);
    for (const prove of PROOFS) expect((await prove(email)).status).toBe(200);
    expect(await userStatus(json.access_token)).toBe(200);
  });
});

describe('a link that the admin API generates', () => {
  it.each(['magiclink', 'recovery'])('neither proves the address nor ends access: %s', async (type) => {
    const { call } = await serviceOf(server);
    const ann = await signUpPerson(server);
    const { json } = await call('POST', '/admin/generate_link', { type, email: ann.email });
    expect((await post('/verify', { type, token_hash: json.hashed_token })).status).toBe(200);
    expect(await accessOf(ann)).toEqual(ALL);
    expect(await provenOf(ann.id)).toEqual([]);
  });

  it('does not apply to a later mail', async () => {
    const { call } = await serviceOf(server);
    const prepared = await signUpPerson(server);
    await call('POST', '/admin/generate_link', { type: 'recovery', email: prepared.email });
    await byRecovery(prepared.email);
    expect(await accessOf(prepared)).toEqual(NO_ACCESS);
  });

  it('proves the address if it confirms a new account', async () => {
    const { call } = await serviceOf(server);
    const email = newEmail();
    const { json } = await call('POST', '/admin/generate_link', {
      type: 'signup',
      email,
      password: PASSWORD,
    });
    expect((await post('/verify', { type: 'signup', token_hash: json.hashed_token })).status).toBe(200);
    await byRecovery(email);
    expect(await signIn({ email })).toBe(200);
  });
});

it('an invitation by mail removes the password of an earlier sign-up with the address', async () => {
  const { call } = await serviceOf(strict);
  const email = newEmail();
  await post('/signup', { email, password: PASSWORD }, undefined, strict);
  await call('POST', '/invite', { email });
  const { token } = await latestTo(server, email);
  expect((await post('/verify', { type: 'invite', token_hash: token })).status).toBe(200);
  expect(await signIn({ email })).toBe(400);
});

describe('an autoconfirmed phone number', () => {
  async function bySms(phone: string, fixed?: string): Promise<TestResponse> {
    await post('/otp', { phone });
    const token = fixed ?? (await latestTo(server, phone)).code;
    return post('/verify', { type: 'sms', phone, token });
  }

  it('loses earlier password and sessions with its first proof, and nothing with the next', async () => {
    const phone = newPhone();
    const { json: prepared } = await post('/signup', { phone, password: PASSWORD });
    const { json: owner } = await bySms(phone);
    expect(owner.user.id).toBe(prepared.user.id);
    expect([await signIn({ phone }), await userStatus(prepared.access_token)]).toEqual([400, 403]);
    await put(owner.access_token, { password: 'a new horse' });
    await bySms(phone);
    expect(await signIn({ phone }, 'a new horse')).toBe(200);
  });

  it('keeps a proven email address, and removes the password', async () => {
    const ann = await signUpPerson(server);
    await byRecovery(ann.email, ann.accessToken);
    const phone = newPhone();
    await put(ann.accessToken, { phone });
    const { json } = await bySms(phone);
    expect([json.user.id, json.user.email]).toEqual([ann.id, ann.email]);
    expect(await signIn({ email: ann.email })).toBe(400);
  });

  it('is not proven by a fixed test code', async () => {
    const phone = TEST_NUMBER;
    await post('/signup', { phone, password: PASSWORD });
    expect((await bySms(phone, '123456')).status).toBe(200);
    expect(await signIn({ phone })).toBe(200);
  });
});

it('a soft deletion removes the proofs of addresses', async () => {
  const { call } = await serviceOf(server);
  const { json } = await byGoogle(newEmail());
  expect(await provenOf(json.user.id)).toHaveLength(1);
  await call('DELETE', `/admin/users/${json.user.id}`, { should_soft_delete: true });
  expect(await provenOf(json.user.id)).toEqual([]);
});

it('accounts of an older data folder are proven according to their rows', async () => {
  const [confirmed, imported, verifiedByAdmin, unconfirmed] = [
    newEmail(),
    newEmail(),
    newEmail(),
    newEmail(),
  ];
  await confirmSignUp(confirmed);
  await execute(
    `insert into auth.users (id, aud, email, confirmation_sent_at, email_confirmed_at)
      values (gen_random_uuid(), 'authenticated', $1, now() - interval '1 hour', now())`,
    imported,
  );
  await byGoogle(verifiedByAdmin);
  await post('/signup', { email: unconfirmed, password: PASSWORD }, undefined, strict);
  const { email: automatic } = await signUpPerson(server);

  await execute('drop table auth.proven_addresses, auth.admin_links');
  const sql = await readFile(new URL('0006_proven_addresses.sql', authService.migrations.directory), 'utf8');
  const statements = sql.split(/;$/m).filter((text) => text.trim() !== '');
  await server.database.admin.batch(statements.map((text) => ({ text })));
  const rows = await execute('select address from auth.proven_addresses where address = any($1)', [
    confirmed,
    imported,
    verifiedByAdmin,
    unconfirmed,
    automatic,
  ]);
  expect(rows.map(({ address }) => address).sort()).toEqual([confirmed, imported, verifiedByAdmin].sort());
});
