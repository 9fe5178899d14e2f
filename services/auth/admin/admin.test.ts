/** The admin API: users, their factors, invitations, links and the audit log. */
import { randomUUID } from 'node:crypto';
import { hash as argon2 } from '@node-rs/argon2';
import { createClient, type GoTrueAdminApi } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { latestTo, messagesTo, openLink } from '../testing/mailbox.ts';
import { claimsOf, newEmail, newPhone, PASSWORD, refresh, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

let server: AuthServer;
let serviceKey: string;
let admin: GoTrueAdminApi;
beforeAll(async () => {
  server = await startAuthServer({ SITE_URL: 'https://room.example', GOTRUE_SMTP_MAX_FREQUENCY: '1ms' });
  serviceKey = await server.keys.sign({ role: 'service_role', exp: Math.floor(Date.now() / 1000) + 3600 });
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  admin = createClient(server.url.replace('/auth/v1', ''), serviceKey, options).auth.admin;
});
afterAll(() => server.close());

const call = (method: Call['method'], path: string, body?: object | string) =>
  send(server, {
    method: method ?? 'GET',
    path,
    bearer: serviceKey,
    ...(body === undefined ? {} : { body }),
  });
const create = async (body: object) => (await call('POST', '/admin/users', body)).json;
const signIn = (body: object) => send(server, { method: 'POST', path: '/token?grant_type=password', body });

const CALLS: [Call['method'], string][] = [
  ['POST', '/invite'],
  ['POST', '/admin/users'],
  ['GET', `/admin/users/${randomUUID()}`],
  ['PUT', `/admin/users/${randomUUID()}`],
  ['DELETE', `/admin/users/${randomUUID()}`],
  ['GET', `/admin/users/${randomUUID()}/factors`],
  ['PUT', `/admin/users/${randomUUID()}/factors/${randomUUID()}`],
  ['DELETE', `/admin/users/${randomUUID()}/factors/${randomUUID()}`],
  ['POST', '/admin/generate_link'],
  ['GET', '/admin/audit'],
];

describe('only admins', () => {
  it.each(CALLS)('may %s %s', async (method = 'GET', path) => {
    const ann = await signUpPerson(server);
    const anonymous = await send(server, { method, path });
    const person = await send(server, { method, path, bearer: ann.accessToken });
    expect([anonymous.status, anonymous.json.error_code]).toEqual([401, 'no_authorization']);
    expect([person.status, person.json.error_code]).toEqual([403, 'not_admin']);
  });
});

describe('creating a user', () => {
  it('accepts all fields', async () => {
    const [email, phone, id] = [newEmail(), newPhone(), randomUUID()];
    const { status, json } = await call('POST', '/admin/users', {
      id,
      email: email.toUpperCase(),
      phone: `+${phone}`,
      password: PASSWORD,
      email_confirm: true,
      phone_confirm: true,
      role: 'authenticated',
      user_metadata: { name: 'Ann' },
      app_metadata: { role: 'admin' },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
      email,
      phone,
      aud: 'authenticated',
      role: 'authenticated',
      email_confirmed_at: expect.any(String),
      phone_confirmed_at: expect.any(String),
      user_metadata: { name: 'Ann', email_verified: true },
      app_metadata: { provider: 'email', providers: ['email', 'phone'], role: 'admin' },
      identities: [
        { provider: 'email', identity_data: { email, email_verified: true } },
        { provider: 'phone', identity_data: { phone, phone_verified: true } },
      ],
    });
    expect((await signIn({ email, password: PASSWORD })).status).toBe(200);
    expect((await signIn({ phone, password: PASSWORD })).status).toBe(200);
    expect(await messagesTo(server, email)).toEqual([]);
  });

  it('confirms nothing and sets no password by default', async () => {
    const email = newEmail();
    const user = await create({ email });
    expect(user).not.toHaveProperty('email_confirmed_at');
    expect(user.identities).toMatchObject([{ identity_data: { email_verified: false } }]);
    expect((await signIn({ email, password: '' })).json.error_code).toBe('invalid_credentials');
  });

  it('accepts password hashes from other systems', async () => {
    const bcrypt = '$2a$10$XzY1fVlCw4kvZ8WUQcXbauB.QEfj6oLxYTTzVyPwRfuNjX9LKuI2.';
    const argon = await argon2(PASSWORD);
    for (const password_hash of [bcrypt, argon]) {
      const email = newEmail();
      const { status } = await call('POST', '/admin/users', { email, password_hash, email_confirm: true });
      expect(status).toBe(200);
      expect((await signIn({ email, password: 'wrong horse' })).status).toBe(400);
    }
    const email = newEmail();
    await create({ email, password_hash: argon, email_confirm: true });
    expect((await signIn({ email, password: PASSWORD })).status).toBe(200);
  });

  it('creates one account for concurrent requests', async () => {
    const email = newEmail();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '/admin/users', { email })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ json }) => json.error_code === 'email_exists')).toHaveLength(9);
  });

  it.each([
    [{}, 400, 'validation_failed', 'without either an email or phone'],
    [{ email: 'nobody' }, 400, 'validation_failed', 'invalid format'],
    [{ phone: '0' }, 400, 'validation_failed', 'E.164'],
    [{ email: 'a@x.co', id: 'me' }, 400, 'validation_failed', 'uuid'],
    [{ email: 'a@x.co', password: 'x', password_hash: 'y' }, 400, 'validation_failed', 'Only a password or'],
    [{ email: 'a@x.co', password_hash: 'y' }, 400, 'validation_failed', 'bcrypt, argon2 or Firebase'],
    [
      { email: 'a@x.co', password_hash: '$argon2id$v=19$m=999999,t=3,p=4$c29tZXNhbHQ$aGFzaA' },
      400,
      'validation_failed',
      'bcrypt, argon2 or Firebase',
    ],
    [{ email: 'a@x.co', password: 'x'.repeat(73) }, 400, 'validation_failed', 'longer than 72'],
    [{ email: 'a@x.co', ban_duration: 'a week' }, 400, 'validation_failed', 'ban duration'],
    [{ email: 'a@x.co', ban_duration: '999999999999h' }, 400, 'validation_failed', 'ban duration'],
    [{ email: 'a@x.co', role: 'x'.repeat(256) }, 400, 'validation_failed', '255 characters'],
    [{ email: 7 }, 400, 'bad_json', 'email'],
    [{ email: 'a@x.co', user_metadata: [] }, 400, 'bad_json', 'user_metadata'],
    [{ email: 'a@x.co', email_confirm: 'yes' }, 400, 'bad_json', 'email_confirm'],
    [{ email: 'a@x.co', user_metadata: { x: 'y'.repeat(40_000) } }, 400, 'validation_failed', '32768'],
  ])('rejects %j', async (body, status, code, message) => {
    const response = await call('POST', '/admin/users', body);
    expect([response.status, response.json.error_code]).toEqual([status, code]);
    expect(response.json.msg).toContain(message);
  });

  it('rejects a taken address, number and id', async () => {
    const [email, phone] = [newEmail(), newPhone()];
    const { id } = await create({ email, phone });
    const code = async (body: object) => (await call('POST', '/admin/users', body)).json.error_code;
    expect(await code({ email })).toBe('email_exists');
    expect(await code({ phone })).toBe('phone_exists');
    expect(await code({ id, email: newEmail() })).toBe('user_already_exists');
  });
});

describe('a user', () => {
  it.each(['GET', 'PUT', 'DELETE'] as const)(
    'is not found by %s with an invalid or unknown id',
    async (method) => {
      const body = method === 'GET' ? undefined : {};
      expect(await call(method, '/admin/users/me', body)).toMatchObject({
        status: 404,
        json: { error_code: 'validation_failed' },
      });
      expect(await call(method, `/admin/users/${randomUUID()}`, body)).toMatchObject({
        status: 404,
        json: { error_code: 'user_not_found' },
      });
    },
  );

  it('is changed immediately', async () => {
    const ann = await signUpPerson(server);
    const [email, phone] = [newEmail(), newPhone()];
    const { status, json } = await call('PUT', `/admin/users/${ann.id}`, {
      email,
      phone,
      email_confirm: true,
      role: 'editor',
      user_metadata: { name: 'Ann', email_verified: null },
      app_metadata: { role: 'admin' },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      email,
      phone,
      role: 'editor',
      user_metadata: { name: 'Ann' },
      app_metadata: { role: 'admin', providers: ['email', 'phone'] },
    });
    expect(json.user_metadata).not.toHaveProperty('email_verified');
    expect((await signIn({ email, password: PASSWORD })).status).toBe(200);
    expect((await call('GET', `/admin/users/${ann.id}`)).json).toMatchObject({ id: ann.id, email });
  });

  it('is signed out everywhere after a password change', async () => {
    const ann = await signUpPerson(server);
    await call('PUT', `/admin/users/${ann.id}`, { password: 'a new horse' });
    expect((await refresh(server, ann.refreshToken)).status).toBe(400);
    expect((await signIn({ email: ann.email, password: 'a new horse' })).status).toBe(200);
  });

  it('needs a strong new password', async () => {
    const ann = await signUpPerson(server);
    expect((await call('PUT', `/admin/users/${ann.id}`, { password: '1' })).json.error_code).toBe(
      'weak_password',
    );
  });

  it("cannot get another user's address, but may keep its own", async () => {
    const [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
    const put = (email: string) => call('PUT', `/admin/users/${ann.id}`, { email });
    expect((await put(bob.email)).json.error_code).toBe('email_exists');
    expect((await put(ann.email)).status).toBe(200);
  });

  it('is banned temporarily or permanently', async () => {
    const ann = await signUpPerson(server);
    const ban = async (ban_duration: string) =>
      (await call('PUT', `/admin/users/${ann.id}`, { ban_duration })).json.banned_until;
    expect(new Date(await ban('1h30m')).getTime()).toBeGreaterThan(Date.now() + 89 * 60_000);
    expect((await signIn({ email: ann.email, password: PASSWORD })).json.error_code).toBe('user_banned');
    expect(await ban('2000000h')).toBeDefined();
    expect(await ban('none')).toBeUndefined();
    expect((await signIn({ email: ann.email, password: PASSWORD })).status).toBe(200);
  });

  it('is deleted, which frees the address', async () => {
    const ann = await signUpPerson(server);
    expect(await call('DELETE', `/admin/users/${ann.id}`)).toMatchObject({ status: 200, json: {} });
    expect((await refresh(server, ann.refreshToken)).status).toBe(400);
    expect((await signUpPerson(server, ann.email)).id).not.toBe(ann.id);
  });

  it('is soft-deleted, which keeps only the id', async () => {
    const ann = await signUpPerson(server);
    const remove = () => call('DELETE', `/admin/users/${ann.id}`, { should_soft_delete: true });
    expect((await remove()).status).toBe(200);
    const { text, json } = await call('GET', `/admin/users/${ann.id}`);
    expect(json).toMatchObject({ id: ann.id, deleted_at: expect.any(String), user_metadata: {} });
    expect(text).not.toContain(ann.email);
    expect((await signIn({ email: ann.email, password: PASSWORD })).status).toBe(400);
    expect((await refresh(server, ann.refreshToken)).status).toBe(400);
    expect((await remove()).status).toBe(200);
    expect((await call('GET', `/admin/users/${ann.id}`)).json.email).toBe(json.email);
    expect((await signUpPerson(server, ann.email)).id).not.toBe(ann.id);
  });
});

describe('second factors', () => {
  async function personWithFactor() {
    const ann = await signUpPerson(server);
    const id = randomUUID();
    await server.database.admin.query({
      text: `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
        values ($1, $2, 'Phone', 'totp', 'verified', 'TOPSECRET', now(), now())`,
      values: [id, ann.id],
    });
    return { ann, id, path: `/admin/users/${ann.id}/factors` };
  }

  it('are listed without their secrets, renamed, and deleted', async () => {
    const { ann, id, path } = await personWithFactor();
    const listed = await call('GET', path);
    expect(listed.json).toMatchObject([
      { id, friendly_name: 'Phone', factor_type: 'totp', status: 'verified' },
    ]);
    expect(listed.text).not.toContain('TOPSECRET');
    const renamed = await call('PUT', `${path}/${id}`, { friendly_name: 'Tablet' });
    expect(renamed).toMatchObject({ status: 200, json: { id, friendly_name: 'Tablet' } });
    expect(await call('DELETE', `${path}/${id}`)).toMatchObject({ status: 200, json: { id } });
    expect((await call('GET', path)).json).toEqual([]);
    expect((await call('DELETE', `${path}/${id}`)).json.error_code).toBe('mfa_factor_not_found');
    expect(await admin.mfa.listFactors({ userId: ann.id })).toMatchObject({ error: null });
  });

  it('are found only below their own user', async () => {
    const { id } = await personWithFactor();
    const bob = await signUpPerson(server);
    const response = await call('DELETE', `/admin/users/${bob.id}/factors/${id}`);
    expect([response.status, response.json.error_code]).toEqual([404, 'mfa_factor_not_found']);
  });
});

describe('an invitation', () => {
  it('mails a link that opens the account', async () => {
    const email = newEmail();
    const { status, json } = await call('POST', '/invite', { email, data: { team: 'blue' } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { team: 'blue' } });
    expect(json).not.toHaveProperty('email_confirmed_at');
    const mail = await latestTo(server, email);
    expect(mail.subject).toBe('You’ve been invited to room.example');
    const { fragment } = await openLink(server, mail.link ?? '');
    expect(fragment.type).toBe('invite');
    expect(claimsOf(fragment.access_token ?? '')).toMatchObject({ sub: json.id, email });
  });

  it('is repeated until it is accepted', async () => {
    const email = newEmail();
    const first = await call('POST', '/invite', { email });
    const second = await call('POST', '/invite', { email });
    expect(second.json.id).toBe(first.json.id);
    await openLink(server, (await latestTo(server, email)).link ?? '');
    expect((await call('POST', '/invite', { email })).json.error_code).toBe('email_exists');
  });
});

describe('a link', () => {
  const link = (body: object) => call('POST', '/admin/generate_link', body);

  it.each([
    ['signup', newEmail, { password: PASSWORD }],
    ['invite', newEmail, {}],
    ['magiclink', async () => (await signUpPerson(server)).email, {}],
    ['recovery', async () => (await signUpPerson(server)).email, {}],
  ])('for %s works, as does its code', async (type, address, fields) => {
    for (const use of ['link', 'code']) {
      const email = await address();
      const { status, json } = await link({ type, email, ...fields, redirect_to: 'https://room.example/x' });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        email,
        verification_type: type,
        redirect_to: 'https://room.example/x',
        hashed_token: expect.stringMatching(/^[0-9a-f]{56}$/),
      });
      if (use === 'link') {
        const opened = await openLink(server, json.action_link);
        expect(opened.location).toMatch(/^https:\/\/room\.example\/x#access_token=/);
      } else {
        const body = { type, email, token: json.email_otp };
        expect((await send(server, { method: 'POST', path: '/verify', body })).status).toBe(200);
      }
      expect(await messagesTo(server, email)).toEqual([]);
    }
  });

  it('for an address without an account becomes a sign-up link', async () => {
    const { json } = await link({ type: 'magiclink', email: newEmail() });
    expect(json.verification_type).toBe('signup');
    expect((await openLink(server, json.action_link)).fragment.access_token).toBeDefined();
  });

  it('for an email change works from either mailbox', async () => {
    const strict = await startAuthServer({ GOTRUE_MAILER_AUTOCONFIRM: 'false' }, server);
    const ann = await signUpPerson(server);
    const new_email = newEmail();
    const current = await link({ type: 'email_change_current', email: ann.email, new_email });
    const other = await link({ type: 'email_change_new', email: ann.email, new_email });
    expect((await openLink(strict, current.json.action_link)).fragment.message).toBeDefined();
    const { fragment } = await openLink(strict, other.json.action_link);
    expect(claimsOf(fragment.access_token ?? '').email).toBe(new_email);
    await strict.close();
  });

  it.each([
    [{ type: 'recovery', email: 'nobody@x.co' }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email: 'nobody@x.co', new_email: 'b@x.co' }, 404, 'user_not_found'],
    [{ type: 'phone', email: 'a@x.co' }, 400, 'validation_failed'],
    [{ type: 'signup' }, 400, 'validation_failed'],
    [{ type: 'signup', email: 'new@x.co', password: '1' }, 422, 'weak_password'],
  ])('rejects %j', async (body, status, code) => {
    const response = await link(body);
    expect([response.status, response.json.error_code]).toEqual([status, code]);
  });

  it('for a confirmed address is rejected', async () => {
    const ann = await signUpPerson(server);
    for (const type of ['signup', 'invite']) {
      expect((await link({ type, email: ann.email, password: PASSWORD })).json.error_code).toBe(
        'email_exists',
      );
    }
  });
});

describe('the audit log', () => {
  it('returns admin actions in pages, newest first', async () => {
    const email = newEmail();
    const { id } = await create({ email });
    await call('DELETE', `/admin/users/${id}`);
    const { json, headers } = await call('GET', '/admin/audit?query=action:user_deleted&per_page=1');
    expect(json).toMatchObject([
      { payload: { action: 'user_deleted', actor_username: 'service_role', traits: { user_id: id } } },
    ]);
    expect(Number(headers.get('x-total-count'))).toBeGreaterThan(0);
  });

  it.each(['?query=nothing', '?query=who:ann', '?query=author:', '?page=x'])('rejects %s', async (query) => {
    expect((await call('GET', `/admin/audit${query}`)).json.error_code).toBe('validation_failed');
  });

  it('treats wildcards as literals', async () => {
    expect((await call('GET', '/admin/audit?query=author:%25')).json).toEqual([]);
  });
});

describe('the official client', () => {
  it('can use all endpoints', async () => {
    const email = newEmail();
    const created = await admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const id = created.data.user?.id ?? '';
    expect((await admin.getUserById(id)).data.user?.email).toBe(email);
    const banned = await admin.updateUserById(id, { ban_duration: '24h' });
    expect(banned.data.user).toHaveProperty('banned_until');
    expect((await admin.updateUserById(id, { ban_duration: 'none' })).error).toBeNull();
    expect((await admin.inviteUserByEmail(newEmail())).error).toBeNull();
    const link = await admin.generateLink({ type: 'magiclink', email });
    expect(link.data.properties?.action_link).toContain('/auth/v1/verify?');
    const { json } = await signIn({ email, password: PASSWORD });
    expect((await admin.signOut(json.access_token, 'global')).error).toBeNull();
    expect((await admin.deleteUser(id, true)).error).toBeNull();
    expect((await admin.deleteUser(id)).error).toBeNull();
    expect((await admin.getUserById(id)).error?.code).toBe('user_not_found');
  });
});
