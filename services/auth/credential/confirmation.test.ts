/** Confirmation of addresses: sign-up, its mail, and what responses reveal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { latestTo, messagesTo, openLink } from '../testing/mailbox.ts';
import { claimsOf, newEmail, newPhone, PASSWORD } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

const SITE = 'https://room.example';

let server: AuthServer;
let quick: AuthServer;
beforeAll(async () => {
  const env = {
    SITE_URL: SITE,
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_SMS_AUTOCONFIRM: 'false',
    GOTRUE_URI_ALLOW_LIST: 'https://*.example/**',
    GOTRUE_SMS_TEST_OTP: '15550100=123456',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '10000',
    GOTRUE_RATE_LIMIT_SMS_SENT: '10000',
  };
  server = await startAuthServer(env);
  quick = await startAuthServer(
    { ...env, GOTRUE_SMTP_MAX_FREQUENCY: '1ms', GOTRUE_SMS_MAX_FREQUENCY: '1ms' },
    server,
  );
});
afterAll(async () => {
  await quick.close();
  await server.close();
});

const post = (path: string, body: object, on = quick) => send(on, { method: 'POST', path, body });
const signUp = (fields: object, on = quick) => post('/signup', { password: PASSWORD, ...fields }, on);
const signIn = (fields: object) => post('/token?grant_type=password', { password: PASSWORD, ...fields });

describe('a sign-up by email', () => {
  it('responds with the user without a session, and mails a link and a code', async () => {
    const email = newEmail();
    const { status, json } = await signUp({ email, data: { name: 'Ann' } });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      email,
      role: 'authenticated',
      confirmation_sent_at: expect.any(String),
      user_metadata: { name: 'Ann', email_verified: false },
      identities: [{ provider: 'email', identity_data: { email_verified: false } }],
    });
    expect(json).not.toHaveProperty('access_token');
    expect(json).not.toHaveProperty('email_confirmed_at');
    const mail = await latestTo(server, email);
    expect(mail).toMatchObject({ kind: 'signup', subject: 'Confirm your email address' });
    expect(mail.html).toContain(mail.code);
    expect(mail.token).toMatch(/^[0-9a-f]{56}$/);
    expect(await signIn({ email })).toMatchObject({
      status: 400,
      json: { error_code: 'email_not_confirmed' },
    });
  });

  it('stores no usable secret', async () => {
    const email = newEmail();
    await signUp({ email });
    const { code } = await latestTo(server, email);
    const [row] = await server.database.admin.query<{ row: string }>({
      text: 'select to_json(u)::text as row from auth.users u where email = $1',
      values: [email],
    });
    expect(row?.row).not.toContain(code);
  });

  it('is confirmed by its link, which signs in', async () => {
    const email = newEmail();
    await signUp({ email });
    const { link } = await latestTo(server, email);
    const opened = await openLink(server, link ?? '');
    expect(opened.status).toBe(303);
    expect(opened.location).toMatch(/^https:\/\/room\.example\/?#/);
    expect(opened.fragment).toMatchObject({
      token_type: 'bearer',
      type: 'signup',
      sb: '',
      expires_in: '3600',
    });
    expect(opened.query).toEqual({});
    const bearer = opened.fragment.access_token ?? '';
    expect(claimsOf(bearer)).toMatchObject({ email, amr: [{ method: 'otp' }] });
    expect((await send(server, { path: '/user', bearer })).json).toMatchObject({
      email_confirmed_at: expect.any(String),
      user_metadata: { email_verified: true },
      identities: [{ identity_data: { email_verified: true } }],
    });
    expect((await signIn({ email })).status).toBe(200);
  });

  it('is confirmed once by its code', async () => {
    const email = newEmail();
    await signUp({ email });
    const { code } = await latestTo(server, email);
    const verify = () => post('/verify', { type: 'signup', email: email.toUpperCase(), token: code });
    expect(await verify()).toMatchObject({ status: 200, json: { user: { email } } });
    expect(await verify()).toMatchObject({ status: 403, json: { error_code: 'otp_expired' } });
  });

  it('is confirmed by the token of its link with type email', async () => {
    const email = newEmail();
    await signUp({ email });
    const { token } = await latestTo(server, email);
    expect((await post('/verify', { type: 'email', token_hash: token })).status).toBe(200);
  });

  it('is confirmed once by concurrent requests', async () => {
    const email = newEmail();
    await signUp({ email });
    const { code } = await latestTo(server, email);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => post('/verify', { type: 'signup', email, token: code })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(7);
  });

  it('ends with PKCE in a code that only its verifier exchanges', async () => {
    const email = newEmail();
    const verifier = 'v'.repeat(43);
    await signUp({ email, code_challenge: verifier, code_challenge_method: 'plain' });
    const { link, token } = await latestTo(server, email);
    expect(token).toMatch(/^pkce_/);
    const { query, fragment } = await openLink(server, link ?? '');
    expect(Object.keys(fragment)).toEqual([]);
    const exchange = (code_verifier: string) =>
      post('/token?grant_type=pkce', { auth_code: query.code, code_verifier });
    expect(await exchange('x'.repeat(43))).toMatchObject({ json: { error_code: 'bad_code_verifier' } });
    const { status, json } = await exchange(verifier);
    expect(status).toBe(200);
    expect(claimsOf(json.access_token).amr).toMatchObject([{ method: 'email/signup' }]);
    expect(await exchange(verifier)).toMatchObject({
      status: 404,
      json: { error_code: 'flow_state_not_found' },
    });
  });

  it('repeated with the same address keeps account and password and resends the mail', async () => {
    const email = newEmail();
    const first = await signUp({ email });
    const again = await signUp({ email, password: 'another horse' });
    expect(again.json.id).toBe(first.json.id);
    const mails = await messagesTo(server, email);
    expect(mails).toHaveLength(2);
    expect(await post('/verify', { type: 'signup', email, token: mails[0]?.code })).toMatchObject({
      status: 403,
    });
    expect(await post('/verify', { type: 'signup', email, token: mails[1]?.code })).toMatchObject({
      status: 200,
    });
    expect((await signIn({ email })).status).toBe(200);
  });

  it('of a taken address has the same response as any other', async () => {
    const email = newEmail();
    await signUp({ email });
    const { code } = await latestTo(server, email);
    const { json: real } = await post('/verify', { type: 'signup', email, token: code });
    const repeated = await signUp({ email, data: { name: 'Eve' } });
    expect(repeated).toMatchObject({
      status: 200,
      json: { email, role: '', identities: [], user_metadata: { name: 'Eve' } },
    });
    expect(repeated.json.id).not.toBe(real.user.id);
    expect(await messagesTo(server, email)).toHaveLength(1);
  });

  it('creates one account for concurrent requests', async () => {
    const email = newEmail();
    const responses = await Promise.all(Array.from({ length: 10 }, () => signUp({ email })));
    expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
    const users = await server.database.admin.query({
      text: 'select from auth.users where email = $1',
      values: [email],
    });
    expect(users).toHaveLength(1);
  });
});

describe('a sign-up by phone', () => {
  it('sends a code and is confirmed by it', async () => {
    const phone = newPhone();
    const { status, json } = await signUp({ phone });
    expect([status, json.phone, json.access_token]).toEqual([200, phone, undefined]);
    const sms = await latestTo(server, phone);
    expect(sms.text).toBe(`Your code is ${sms.code}`);
    expect((await signIn({ phone })).json.error_code).toBe('phone_not_confirmed');
    const verified = await post('/verify', { type: 'sms', phone: `+${phone}`, token: sms.code });
    expect(verified).toMatchObject({
      status: 200,
      json: { user: { phone_confirmed_at: expect.any(String) } },
    });
    expect((await signIn({ phone })).status).toBe(200);
  });

  it('with a test number accepts its fixed code and sends nothing', async () => {
    const phone = '15550100';
    expect((await signUp({ phone })).status).toBe(200);
    expect(await messagesTo(server, phone)).toEqual([]);
    expect((await post('/verify', { type: 'sms', phone, token: '654321' })).status).toBe(403);
    expect((await post('/verify', { type: 'sms', phone, token: '123456' })).status).toBe(200);
  });
});

describe('resending', () => {
  it('sends another code, which replaces the first', async () => {
    const email = newEmail();
    await signUp({ email });
    expect(await post('/resend', { type: 'signup', email })).toMatchObject({ status: 200, json: {} });
    const [first, second] = await messagesTo(server, email);
    expect((await post('/verify', { type: 'signup', email, token: first?.code })).status).toBe(403);
    expect((await post('/verify', { type: 'signup', email, token: second?.code })).status).toBe(200);
    await post('/resend', { type: 'signup', email });
    expect(await messagesTo(server, email)).toHaveLength(2);
  });

  it('sends nothing within the minimum time, and does not reveal it', async () => {
    const email = newEmail();
    await signUp({ email }, server);
    for (const address of [email, newEmail()]) {
      const { status, json } = await post('/resend', { type: 'signup', email: address }, server);
      expect([status, json]).toEqual([200, {}]);
    }
    expect(await messagesTo(server, email)).toHaveLength(1);
  });

  it('sends another SMS', async () => {
    const phone = newPhone();
    await signUp({ phone });
    expect(await post('/resend', { type: 'sms', phone })).toMatchObject({ status: 200, json: {} });
    expect(await messagesTo(server, phone)).toHaveLength(2);
  });

  it.each([
    [{}, 'Missing one of these types'],
    [{ type: 'recovery', email: 'a@x.co' }, 'Missing one of these types'],
    [{ type: 'signup' }, 'requires an email address'],
    [{ type: 'sms' }, 'requires a phone number'],
    [{ type: 'email_change' }, 'Missing email address or phone number'],
    [{ type: 'signup', email: 'a@x.co', phone: '15550101' }, 'Only an email address or phone number'],
    [{ type: 'signup', email: 'nobody' }, 'invalid format'],
  ])('rejects %j', async (body, message) => {
    expect(await post('/resend', body)).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed', msg: expect.stringContaining(message) },
    });
  });
});

describe('messages to one address', () => {
  it.each(['/recover', '/magiclink', '/otp'])(
    'share the minimum time of %s, with and without an account',
    async (path) => {
      const known = newEmail();
      await signUp({ email: known }, server);
      for (const email of [known, newEmail()]) {
        const { status, json } = await post(path, { email }, server);
        expect([status, json]).toEqual([200, {}]);
        expect(await post(path, { email }, server)).toMatchObject({
          status: 429,
          json: {
            error_code: 'over_email_send_rate_limit',
            msg: expect.stringMatching(/only request this after \d+ seconds/),
          },
        });
      }
    },
  );
});

describe('GET /verify', () => {
  it.each([
    ['', 'Verify requires a token'],
    ['?token=x', 'Verify requires a verification type'],
    ['?token=x&type=nothing', 'Unsupported verification type'],
  ])('responds with a JSON error to missing parameters: %s', async (query, message) => {
    expect(await send(server, { path: `/verify${query}` })).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed', msg: message },
    });
  });

  it('redirects to the site with the error in the fragment for an invalid token', async () => {
    const opened = await openLink(server, 'http://x/verify?token=nothing&type=signup');
    expect(opened).toMatchObject({ status: 303, query: {} });
    expect(opened.fragment).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    });
    expect(opened.headers.get('cache-control')).toBe('no-store');
  });

  it('repeats the error in the query for a PKCE link', async () => {
    const { query } = await openLink(server, 'http://x/verify?token=pkce_nothing&type=signup');
    expect(query.error_code).toBe('otp_expired');
  });

  it.each([
    ['https://app.example/welcome?x=1', 'https://app.example/welcome?x=1'],
    ['https://evil.test/', `${SITE}/`],
    ['javascript:alert(1)', `${SITE}/`],
    ['//evil.test', `${SITE}/`],
  ])('with the redirect %s leads to %s', async (redirectTo, target) => {
    const query = new URLSearchParams({ token: 'nothing', type: 'signup', redirect_to: redirectTo });
    const { location } = await openLink(server, `http://x/verify?${query}`);
    expect(location.split('#')[0]).toBe(target);
  });

  it('does not consume the token for HEAD', async () => {
    const email = newEmail();
    await signUp({ email });
    const { link } = await latestTo(server, email);
    const { search } = new URL(link ?? '');
    expect((await send(server, { method: 'HEAD', path: `/verify${search}` })).status).toBe(404);
    expect((await openLink(server, link ?? '')).fragment.access_token).toBeDefined();
  });
});

describe('POST /verify', () => {
  it.each([
    [{ type: 'signup' }, 'requires either a token or a token hash'],
    [{ type: 'signup', token: '1', token_hash: '2' }, 'requires either a token or a token hash'],
    [{ type: 'signup', token_hash: '2', email: 'a@x.co' }, 'Only the token_hash and type'],
    [{ type: 'sms', token_hash: '2' }, 'Invalid email verification type'],
    [{ type: 'signup', token: '1' }, 'Only an email address or phone number'],
    [{ type: 'nothing', token: '1', email: 'a@x.co' }, 'Unsupported verification type'],
    [{ token: '1', email: 'a@x.co' }, 'requires a verification type'],
    [{ type: 'sms', token: '1', email: 'a@x.co' }, 'Unsupported verification type'],
  ])('rejects %j', async (body, message) => {
    expect(await post('/verify', body)).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed', msg: expect.stringContaining(message) },
    });
  });
});
