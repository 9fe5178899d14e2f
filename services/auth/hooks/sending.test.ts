/** Hooks that send mails and SMS instead of the service. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createFunction, functionEnv } from '../testing/hook-function.ts';
import { type HookServer, startHookServer } from '../testing/hook-server.ts';
import { openLink } from '../testing/mailbox.ts';
import { claimsOf, newEmail, newPhone, PASSWORD, signUpPerson } from '../testing/people.ts';
import { send, type TestResponse } from '../testing/scenario.ts';

const CONFIRM = {
  GOTRUE_MAILER_AUTOCONFIRM: 'false',
  GOTRUE_SMS_AUTOCONFIRM: 'false',
  GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
  GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1ms',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '10000',
  GOTRUE_RATE_LIMIT_SMS_SENT: '10000',
  SITE_URL: 'https://room.example',
};
const REFUSED = { error: { http_code: 429, message: 'Too many mails' } };
const CHALLENGE = {
  code_challenge: createHash('sha256').update('a'.repeat(50)).digest('base64url'),
  code_challenge_method: 's256',
};

let hooks: HookServer;
let plain: AuthServer;
let server: AuthServer;
let lax: AuthServer;
let sql: AuthServer;
let key: string;
beforeAll(async () => {
  hooks = await startHookServer();
  plain = await startAuthServer();
  const both = { ...hooks.env('SEND_EMAIL'), ...hooks.env('SEND_SMS') };
  server = await startAuthServer({ ...CONFIRM, ...both, GOTRUE_SMS_TEST_OTP: '15550100=123456' }, plain);
  const insecure = { GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: 'false' };
  lax = await startAuthServer({ ...CONFIRM, ...both, ...insecure }, plain);
  const functions = { ...functionEnv('SEND_EMAIL', 'send_email'), ...functionEnv('SEND_SMS', 'send_sms') };
  sql = await startAuthServer({ ...CONFIRM, ...functions }, plain);
  ({ key } = await serviceOf(plain));
});
afterAll(async () => {
  for (const one of [sql, lax, server]) await one.close();
  await plain.close();
  await hooks.close();
});
beforeEach(() => {
  hooks.calls.length = 0;
  hooks.reply = () => ({ body: {} });
});

const post = (on: AuthServer, path: string, body: object, bearer?: string) =>
  send(on, { method: 'POST', path, body, bearer });
const verify = (body: object) => post(server, '/verify', body);

async function counts() {
  const [row] = await plain.database.admin.query({
    text: `select (select count(*)::int from auth.users) as users, (select count(*)::int from auth.one_time_tokens) as codes,
      (select count(*)::int from auth.flow_state) as flows, (select count(*)::int from auth.audit_log_entries) as audited,
      (select count(*)::int from auth.mfa_challenges) as challenges, (select count(*)::int from greenroom.messages) as messages,
      (select max(updated_at)::text from auth.users) as changed`,
  });
  return row;
}

interface Person {
  email: string;
  phone: string;
  accessToken: string;
}

/** A user with a confirmed address and number. */
async function ann(): Promise<Person> {
  const person = await signUpPerson(plain);
  const phone = newPhone();
  const body = { phone };
  await send(plain, { method: 'PUT', path: '/user', body, bearer: person.accessToken });
  return { ...person, phone };
}

const put = (on: AuthServer, { accessToken }: Person, body: object) =>
  send(on, { method: 'PUT', path: '/user', body, bearer: accessToken });
const lastMail = () => hooks.calls.at(-1)?.body.email_data;
const lastSms = () => hooks.calls.at(-1)?.body.sms;

describe('mails', () => {
  it.each<[string, string, (person: Person) => Promise<TestResponse>, boolean]>([
    ['a sign-up', 'signup', () => post(server, '/signup', { email: newEmail(), password: PASSWORD }), true],
    ['a link for an unknown address', 'signup', () => post(server, '/otp', { email: newEmail() }), true],
    ['a link', 'magiclink', ({ email }) => post(server, '/magiclink', { email }), true],
    ['a recovery', 'recovery', ({ email }) => post(server, '/recover', { email }), false],
    ['an invitation', 'invite', () => post(server, '/invite', { email: newEmail() }, key), true],
    [
      'a reauthentication',
      'reauthentication',
      (person) => send(server, { path: '/reauthenticate', bearer: person.accessToken }),
      true,
    ],
    ['a new address', 'email_change', (person) => put(server, person, { email: newEmail() }), true],
  ])('of %s are sent by the hook; a rejection by the hook rolls back', async (_, type, trigger, isSent) => {
    const person = await ann();
    const before = await counts();
    hooks.reply = () => ({ body: REFUSED });
    const refused = await trigger(person);
    expect({ status: refused.status, json: refused.json }).toEqual(
      isSent
        ? { status: 429, json: { code: 429, error_code: 'unknown', msg: 'Too many mails' } }
        : { status: 200, json: {} },
    );
    expect(await counts()).toEqual(before);
    hooks.reply = () => ({ body: {} });
    const sent = await trigger(person);
    expect(sent.status, sent.text).toBe(200);
    expect(hooks.calls).toHaveLength(2);
    const { user, email_data: data, metadata } = hooks.calls[1]?.body ?? {};
    expect(metadata.name).toBe('send-email');
    expect(user.email).toMatch(/@example\.org$/);
    expect(data).toMatchObject({
      token: expect.stringMatching(/^\d{6}$/),
      token_hash: expect.stringMatching(/^[0-9a-f]{56}$/),
      email_action_type: type,
      redirect_to: 'https://room.example',
      site_url: 'http://127.0.0.1:54321',
      old_email: '',
      old_phone: '',
      provider: '',
      factor_type: '',
    });
    expect(await counts()).toMatchObject({ messages: before?.messages });
  });

  it('have codes that sign in, by code and by link', async () => {
    const email = newEmail();
    await post(server, '/signup', { email, password: PASSWORD });
    const signedUp = await verify({ type: 'signup', email, token: lastMail().token });
    expect(claimsOf(signedUp.json.access_token).email).toBe(email);
    await post(server, '/recover', { email, ...CHALLENGE });
    const { token_hash: token, email_action_type: type } = lastMail();
    expect(token).toMatch(/^pkce_/);
    const { query } = await openLink(server, `https://x.example/?${new URLSearchParams({ token, type })}`);
    expect(query.code).toMatch(/^[\w-]{20,}/);
  });

  it("of a new address are one call, with GoTrue's crossed names", async () => {
    const person = await ann();
    const email = newEmail();
    expect((await put(server, person, { email })).status).toBe(200);
    expect(hooks.calls).toHaveLength(1);
    expect(hooks.calls[0]?.body.user).toMatchObject({ email: person.email, new_email: email });
    const { token, token_new } = lastMail();
    expect((await verify({ type: 'email_change', email: person.email, token })).json.code).toBe('200');
    const { json } = await verify({ type: 'email_change', email, token: token_new });
    expect(json.user.email).toBe(email);
  });

  it('of a new address have the tokens of both links', async () => {
    const person = await ann();
    const email = newEmail();
    await put(server, person, { email });
    const { token, token_hash, token_hash_new } = lastMail();
    expect((await verify({ type: 'email_change', token_hash: token_hash_new })).json.code).toBe('200');
    // The link of the current mailbox is consumed, and so is its code.
    expect((await verify({ type: 'email_change', email: person.email, token })).status).toBe(403);
    expect((await verify({ type: 'email_change', token_hash })).json.user.email).toBe(email);
  });

  it('of a new address that one mailbox confirms have its code', async () => {
    const person = await ann();
    const email = newEmail();
    expect((await put(lax, person, { email })).status).toBe(200);
    expect(lastMail()).toMatchObject({ token_new: '', token_hash_new: '' });
    const { json } = await post(lax, '/verify', { type: 'email_change', email, token: lastMail().token });
    expect(json.user.email).toBe(email);
  });

  it('are resent by the hook', async () => {
    const email = newEmail();
    await post(server, '/signup', { email, password: PASSWORD });
    expect((await post(server, '/resend', { type: 'signup', email })).status).toBe(200);
    expect(hooks.calls.map(({ body }) => body.email_data.email_action_type)).toEqual(['signup', 'signup']);
    expect((await verify({ type: 'signup', email, token: lastMail().token })).status).toBe(200);
  });
});

describe('SMS', () => {
  it.each<[string, (person: Person) => Promise<TestResponse>, object]>([
    ['a sign-up', () => post(server, '/signup', { phone: newPhone(), password: PASSWORD }), {}],
    ['a code for an unknown number', () => post(server, '/otp', { phone: newPhone() }), {}],
    ['a code', ({ phone }) => post(server, '/otp', { phone }), {}],
    ['a new number', (person) => put(server, person, { phone: newPhone() }), {}],
    [
      'a second factor',
      async ({ accessToken }) => {
        const factor = { factor_type: 'phone', phone: newPhone(), friendly_name: newPhone() };
        const { json } = await post(server, '/factors', factor, accessToken);
        return post(server, `/factors/${json.id}/challenge`, { channel: 'sms' }, accessToken);
      },
      { sms_type: 'mfa' },
    ],
  ])('of %s are sent by the hook; a rejection by the hook rolls back', async (_, trigger, payload) => {
    const person = await ann();
    hooks.reply = () => ({ body: REFUSED });
    const refused = await trigger(person);
    expect({ status: refused.status, json: refused.json }).toEqual({
      status: 429,
      json: { code: 429, error_code: 'unknown', msg: 'Too many mails' },
    });
    const before = await counts();
    await trigger(person);
    expect(await counts()).toMatchObject({ codes: before?.codes, challenges: before?.challenges });
    hooks.reply = () => ({ body: {} });
    expect((await trigger(person)).status).toBe(200);
    expect(lastSms()).toEqual({
      otp: expect.stringMatching(/^\d{6}$/),
      phone: expect.stringMatching(/^\d{8,}$/),
      ...payload,
    });
    expect(hooks.calls.at(-1)?.body).toMatchObject({
      user: { id: expect.any(String) },
      metadata: { name: 'send-sms' },
    });
    expect(await counts()).toMatchObject({ messages: before?.messages });
  });

  it('have codes that sign in', async () => {
    const phone = newPhone();
    await post(server, '/otp', { phone });
    const { status, text } = await verify({ type: 'sms', phone, token: lastSms().otp });
    expect(status, text).toBe(200);
  });

  it('are not sent to test numbers', async () => {
    expect((await post(server, '/otp', { phone: '15550100' })).status).toBe(200);
    expect(hooks.calls).toEqual([]);
    expect((await verify({ type: 'sms', phone: '15550100', token: '123456' })).status).toBe(200);
  });
});

describe('an address without an account', () => {
  it.each([
    ['/recover', 'email'],
    ['/resend', 'email'],
    ['/resend', 'phone'],
  ])(
    'receives from %s the same response and duration as any other, regardless of the hook',
    async (path, kind) => {
      const both = { ...hooks.env('SEND_EMAIL'), ...hooks.env('SEND_SMS') };
      const fresh = await startAuthServer({ ...CONFIRM, ...both }, plain);
      const known = kind === 'email' ? newEmail() : newPhone();
      await post(server, '/signup', { [kind]: known, password: PASSWORD });
      const type = kind === 'email' ? 'signup' : 'sms';
      hooks.reply = () => ({ afterMs: 400, body: REFUSED });
      for (const address of [known, kind === 'email' ? newEmail() : newPhone()]) {
        const begun = performance.now();
        const { status, json } = await post(fresh, path, { [kind]: address, type });
        expect({ status, json }).toEqual({ status: 200, json: {} });
        expect(performance.now() - begun).toBeGreaterThan(390);
      }
      await fresh.close();
    },
  );
});

describe('database functions', () => {
  it('see the writes of the transaction and take part in it', async () => {
    await plain.database.admin.batch([
      { text: 'create table public.queue (user_id uuid references auth.users (id), code text, phone text)' },
      { text: 'grant all on public.queue to supabase_auth_admin' },
    ]);
    await createFunction(
      sql,
      'send_email',
      `begin
        insert into public.queue (user_id, code)
        values ((event -> 'user' ->> 'id')::uuid, event -> 'email_data' ->> 'token');
        if event -> 'user' -> 'user_metadata' ->> 'fails' = 'yes' then
          return '{"error": {"http_code": 400, "message": "No"}}';
        end if;
        return '{}';
      end`,
    );
    await createFunction(
      sql,
      'send_sms',
      `begin
        insert into public.queue
        values ((event -> 'user' ->> 'id')::uuid, event -> 'sms' ->> 'otp', event -> 'sms' ->> 'phone');
      end`,
      'void',
    );
    const emails = Array.from({ length: 16 }, () => newEmail());
    const responses = await Promise.all(
      emails.map((email, index) =>
        post(sql, '/signup', { email, password: PASSWORD, data: index % 4 ? {} : { fails: 'yes' } }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(emails.map((_, index) => (index % 4 ? 200 : 400)));
    const queued = await plain.database.admin.query<{ email: string; code: string }>({
      text: 'select u.email, q.code from public.queue q join auth.users u on u.id = q.user_id',
    });
    expect(queued.map(({ email }) => email).sort()).toEqual(emails.filter((_, index) => index % 4).sort());
    const { email, code: token } = queued[0] ?? {};
    expect((await post(sql, '/verify', { type: 'signup', email, token })).status).toBe(200);
    const phone = newPhone();
    expect((await post(sql, '/otp', { phone })).status).toBe(200);
    const [sms] = await plain.database.admin.query<{ code: string }>({
      text: 'select code from public.queue where phone = $1',
      values: [phone],
    });
    expect((await post(sql, '/verify', { type: 'sms', phone, token: sms?.code })).status).toBe(200);
  });
});
