/** Recovery, magic links, codes by SMS, reauthentication, and changes of address and number. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { latestTo, messagesTo, openLink } from '../testing/mailbox.ts';
import { claimsOf, newEmail, newPhone, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

const QUICK = {
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '10000',
  GOTRUE_RATE_LIMIT_SMS_SENT: '10000',
};

let server: AuthServer;
let strict: AuthServer;
let single: AuthServer;
let closed: AuthServer;
beforeAll(async () => {
  server = await startAuthServer(QUICK);
  const confirming = { ...QUICK, GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_SMS_AUTOCONFIRM: 'false' };
  const reauthenticating = { GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true' };
  strict = await startAuthServer({ ...confirming, ...reauthenticating }, server);
  single = await startAuthServer(
    { ...confirming, GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: 'false' },
    server,
  );
  closed = await startAuthServer({ ...QUICK, GOTRUE_DISABLE_SIGNUP: 'true' }, server);
});
afterAll(async () => {
  await Promise.all([strict.close(), single.close(), closed.close()]);
  await server.close();
});

const post = (path: string, body: object, on = server) => send(on, { method: 'POST', path, body });
const put = ({ accessToken }: Person, body: object, on = server) =>
  send(on, { method: 'PUT', path: '/user', bearer: accessToken, body });
const emailOf = async ({ accessToken }: Person) =>
  (await send(server, { path: '/user', bearer: accessToken })).json.email;
const usersWith = (column: 'email' | 'phone', value: string) =>
  server.database.admin.query({ text: `select from auth.users where ${column} = $1`, values: [value] });

describe('recovery', () => {
  it('mails a link that signs in and allows a new password', async () => {
    const ann = await signUpPerson(server);
    expect(await post('/recover', { email: ann.email })).toMatchObject({ status: 200, json: {} });
    const { link, kind } = await latestTo(server, ann.email);
    expect(kind).toBe('recovery');
    const { fragment } = await openLink(server, link ?? '');
    expect(fragment.type).toBe('recovery');
    const recovered = { ...ann, accessToken: fragment.access_token ?? '' };
    expect((await put(recovered, { password: 'a new horse' })).status).toBe(200);
    expect((await send(server, { path: '/user', bearer: ann.accessToken })).status).toBe(403);
  });

  it('has the same response without an account, and mails nothing', async () => {
    const email = newEmail();
    expect(await post('/recover', { email })).toMatchObject({ status: 200, json: {} });
    expect(await messagesTo(server, email)).toEqual([]);
  });

  it('revokes its link when the password changes', async () => {
    const ann = await signUpPerson(server);
    await post('/recover', { email: ann.email });
    const { link } = await latestTo(server, ann.email);
    await put(ann, { password: 'a new horse' });
    expect((await openLink(server, link ?? '')).fragment.error_code).toBe('otp_expired');
  });

  it('rejects an expired link', async () => {
    const ann = await signUpPerson(server);
    await post('/recover', { email: ann.email });
    const { link } = await latestTo(server, ann.email);
    await server.database.admin.query({
      text: `update auth.users set recovery_sent_at = now() - interval '1 hour 1 second' where id = $1`,
      values: [ann.id],
    });
    expect((await openLink(server, link ?? '')).fragment.error_code).toBe('otp_expired');
  });

  it.each([
    [{}, 'Password recovery requires an email'],
    [{ email: 'nobody' }, 'invalid format'],
    [{ email: 'a@x.co', code_challenge: 'x' }, 'PKCE flow requires'],
  ])('rejects %j', async (body, message) => {
    const { status, json } = await post('/recover', body);
    expect([status, json.msg]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('a magic link', () => {
  it.each(['/magiclink', '/otp'])('of %s signs in with its link', async (path) => {
    const ann = await signUpPerson(server);
    expect(await post(path, { email: ann.email })).toMatchObject({ status: 200, json: {} });
    const { link, kind } = await latestTo(server, ann.email);
    expect(kind).toBe('magiclink');
    const { fragment } = await openLink(server, link ?? '');
    expect(claimsOf(fragment.access_token ?? '').sub).toBe(ann.id);
  });

  it('signs in with its code and type email', async () => {
    const ann = await signUpPerson(server);
    await post('/otp', { email: ann.email });
    const { code } = await latestTo(server, ann.email);
    const { status, json } = await post('/verify', { type: 'email', email: ann.email, token: code });
    expect([status, json.user.id]).toEqual([200, ann.id]);
  });

  it.each([
    ['confirmed automatically', () => server, 'magiclink'],
    ['confirmed by the link', () => strict, 'signup'],
  ])('creates an account if there is none, %s', async (_, on, kind) => {
    const email = newEmail();
    expect(await post('/otp', { email, data: { name: 'Ann' } }, on())).toMatchObject({
      status: 200,
      json: {},
    });
    const mail = await latestTo(server, email);
    expect(mail.kind).toBe(kind);
    const { fragment } = await openLink(server, mail.link ?? '');
    expect(claimsOf(fragment.access_token ?? '')).toMatchObject({ email, user_metadata: { name: 'Ann' } });
    expect((await post('/token?grant_type=password', { email, password: '' })).status).toBe(400);
  });

  it('creates one account for concurrent requests', async () => {
    const email = newEmail();
    const responses = await Promise.all(Array.from({ length: 10 }, () => post('/otp', { email })));
    expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(await usersWith('email', email)).toHaveLength(1);
  });

  it('creates no account if sign-ups are disabled, and does not reveal it', async () => {
    const email = newEmail();
    expect(await post('/otp', { email }, closed)).toMatchObject({ status: 200, json: {} });
    expect(await messagesTo(server, email)).toEqual([]);
  });

  it('rejects a request without an account that sets create_user to false', async () => {
    const { status, json } = await post('/otp', { email: newEmail(), create_user: false });
    expect([status, json.error_code]).toEqual([422, 'otp_disabled']);
  });

  it('ends with PKCE in a code', async () => {
    const ann = await signUpPerson(server);
    const verifier = 'v'.repeat(64);
    await post('/otp', { email: ann.email, code_challenge: verifier, code_challenge_method: 'PLAIN' });
    const { link } = await latestTo(server, ann.email);
    const { query } = await openLink(server, link ?? '');
    const { json } = await post('/token?grant_type=pkce', { auth_code: query.code, code_verifier: verifier });
    expect(claimsOf(json.access_token).amr).toMatchObject([{ method: 'magiclink' }]);
  });
});

describe('a code by SMS', () => {
  it.each([
    ['confirmed automatically', () => server],
    ['confirmed by the code', () => strict],
  ])('creates an account and signs in, %s', async (_, on) => {
    const phone = newPhone();
    expect(await post('/otp', { phone }, on())).toMatchObject({ status: 200, json: {} });
    const { code } = await latestTo(server, phone);
    const first = await post('/verify', { type: 'sms', phone, token: code }, on());
    expect(first.json.user.phone).toBe(phone);
    await post('/otp', { phone }, on());
    const again = await latestTo(server, phone);
    const second = await post('/verify', { type: 'sms', phone, token: again.code }, on());
    expect(second.json.user.id).toBe(first.json.user.id);
  });

  it.each([
    [{ phone: '1', channel: 'sms' }, 'Invalid phone number format'],
    [{ phone: '15550100', channel: 'pigeon' }, 'Invalid channel'],
    [{ phone: '15550100', email: 'a@x.co' }, 'Only an email address or phone number'],
    [{ email: 'a@x.co', channel: 'sms' }, 'Channel should only be specified with Phone OTP'],
    [{}, 'One of email or phone must be set'],
  ])('rejects %j', async (body, message) => {
    const { status, json } = await post('/otp', body);
    expect([status, json.error_code, json.msg]).toEqual([
      400,
      'validation_failed',
      expect.stringContaining(message),
    ]);
  });
});

describe('a change of email address', () => {
  it('is confirmed from both mailboxes', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    expect((await put(ann, { email }, strict)).json).toMatchObject({ email: ann.email, new_email: email });
    const fromOld = await latestTo(server, ann.email);
    const fromNew = await latestTo(server, email);
    const first = await post(
      '/verify',
      { type: 'email_change', email: ann.email, token: fromOld.code },
      strict,
    );
    expect(first).toMatchObject({
      status: 200,
      json: { code: '200', msg: expect.stringContaining('other email') },
    });
    expect(await emailOf(ann)).toBe(ann.email);
    const second = await post('/verify', { type: 'email_change', email, token: fromNew.code }, strict);
    expect(second.json.user).toMatchObject({ email, identities: [{ email, identity_data: { email } }] });
    expect(second.json.user.new_email).toBeUndefined();
  });

  it('is confirmed by links, and the first one reports that the other is missing', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    await put(ann, { email }, strict);
    const first = await openLink(strict, (await latestTo(server, email)).link ?? '');
    expect(first.fragment).toEqual({ message: expect.stringContaining('other email'), sb: '' });
    const second = await openLink(strict, (await latestTo(server, ann.email)).link ?? '');
    expect(claimsOf(second.fragment.access_token ?? '').email).toBe(email);
  });

  it('needs both codes, not one of them twice', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    await put(ann, { email }, strict);
    const { code } = await latestTo(server, email);
    const verify = () => post('/verify', { type: 'email_change', email, token: code }, strict);
    expect([(await verify()).status, (await verify()).status]).toEqual([200, 403]);
    expect(await emailOf(ann)).toBe(ann.email);
  });

  it('needs only the new mailbox, if configured', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    await put(ann, { email }, single);
    expect(await messagesTo(server, ann.email)).toEqual([]);
    const { link } = await latestTo(server, email);
    expect((await openLink(single, link ?? '')).fragment.type).toBe('email_change');
    expect(await emailOf(ann)).toBe(email);
  });

  it('fails if another account has taken the address in the meantime', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    await put(ann, { email }, single);
    await signUpPerson(server, email);
    const { link } = await latestTo(server, email);
    expect((await openLink(single, link ?? '')).fragment.error_code).toBe('email_exists');
  });

  it('can resend its mails', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    await put(ann, { email }, single);
    await post('/resend', { type: 'email_change', email: ann.email }, single);
    expect(await messagesTo(server, email)).toHaveLength(2);
  });
});

describe('a change of phone number', () => {
  it('is confirmed by a code, which can be resent', async () => {
    const phone = newPhone();
    await post('/otp', { phone });
    const sms = await latestTo(server, phone);
    const { json } = await post('/verify', { type: 'sms', phone, token: sms.code });
    const otherPhone = newPhone();
    const ann = { accessToken: json.access_token } as Person;
    expect((await put(ann, { phone: otherPhone }, strict)).json).toMatchObject({
      phone,
      new_phone: otherPhone,
    });
    await post('/resend', { type: 'phone_change', phone }, strict);
    const [, second] = await messagesTo(server, otherPhone);
    const changed = await post(
      '/verify',
      { type: 'phone_change', phone: otherPhone, token: second?.code },
      strict,
    );
    expect(changed.json.user).toMatchObject({
      phone: otherPhone,
      identities: [{ identity_data: { phone: otherPhone } }],
    });
  });
});

describe('reauthentication', () => {
  const age = (ann: Person) =>
    server.database.admin.query({
      text: `update auth.sessions set created_at = now() - interval '25 hours' where id = $1`,
      values: [ann.sessionId],
    });

  it('is required for a new password in an old session, and consumes its code', async () => {
    const ann = await signUpPerson(server);
    await age(ann);
    expect((await put(ann, { password: 'horse two' }, strict)).json.error_code).toBe(
      'reauthentication_needed',
    );
    const sent = await send(strict, { path: '/reauthenticate', bearer: ann.accessToken });
    expect([sent.status, sent.json]).toEqual([200, {}]);
    const { code, link, subject } = await latestTo(server, ann.email);
    expect([link, subject]).toEqual([null, `${code} is your verification code`]);
    const change = (nonce: string, password: string) => put(ann, { password, nonce }, strict);
    expect((await change('x', 'horse two')).json.error_code).toBe('reauthentication_not_valid');
    expect((await change(code, 'horse two')).status).toBe(200);
    expect((await change(code, 'horse three')).json.error_code).toBe('reauthentication_not_valid');
  });

  it('is not required in a new session', async () => {
    const ann = await signUpPerson(server);
    expect((await put(ann, { password: 'horse two' }, strict)).status).toBe(200);
  });

  it('rejects a request without a session', async () => {
    expect((await send(server, { path: '/reauthenticate' })).status).toBe(401);
  });
});

describe('the official client', () => {
  it('signs in by code, recovers, and changes the address', async () => {
    const ann = await signUpPerson(server);
    const client = createClient(server.url.replace('/auth/v1', ''), 'key', {
      auth: { persistSession: false },
    });
    const { auth } = client;
    expect((await auth.signInWithOtp({ email: ann.email })).error).toBeNull();
    const { code } = await latestTo(server, ann.email);
    const verified = await auth.verifyOtp({ email: ann.email, token: code, type: 'email' });
    expect(verified.data.user?.id).toBe(ann.id);
    expect((await auth.resetPasswordForEmail(ann.email)).error).toBeNull();
    expect((await auth.reauthenticate()).error).toBeNull();
    expect((await auth.resend({ type: 'signup', email: ann.email })).error).toBeNull();
    const { data } = await auth.updateUser({ email: newEmail(), password: `${PASSWORD} 2` });
    expect(data.user?.new_email).toBeDefined();
  });
});
