/** Hooks before and after a new account, for every endpoint that creates one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createFunction, functionEnv } from '../testing/hook-function.ts';
import { type HookServer, startHookServer } from '../testing/hook-server.ts';
import { messagesTo } from '../testing/mailbox.ts';
import { newEmail, newPhone, PASSWORD, signUpPerson } from '../testing/people.ts';
import { send, type TestResponse } from '../testing/scenario.ts';

const ENV = { GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' };
const CONFIRM = { ...ENV, GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_SMS_AUTOCONFIRM: 'false' };
const REFUSED = { error: { http_code: 403, message: 'Members only' } };

let hooks: HookServer;
let server: AuthServer;
let confirming: AuthServer;
let key: string;
beforeAll(async () => {
  hooks = await startHookServer();
  const both = { ...hooks.env('BEFORE_USER_CREATED'), ...hooks.env('AFTER_USER_CREATED') };
  server = await startAuthServer({ ...ENV, ...both });
  confirming = await startAuthServer({ ...CONFIRM, ...both }, server);
  ({ key } = await serviceOf(server));
});
afterAll(async () => {
  await confirming.close();
  await server.close();
  await hooks.close();
});
beforeEach(() => {
  hooks.calls.length = 0;
  hooks.reply = () => ({ body: {} });
});

const callsOf = (name: string) =>
  hooks.calls.filter(({ body }) => body.metadata.name === `${name}-user-created`);
const post = (on: AuthServer, path: string, body: object, bearer?: string) =>
  send(on, { method: 'POST', path, body, bearer });

async function counts() {
  const [row] = await server.database.admin.query({
    text: `select (select count(*)::int from auth.users) as users, (select count(*)::int from auth.identities) as identities,
      (select count(*)::int from auth.sessions) as sessions, (select count(*)::int from greenroom.messages) as messages,
      (select count(*)::int from auth.audit_log_entries) as audited`,
  });
  return row;
}

interface Flow {
  request: (address: { email: string; phone: string }) => Promise<TestResponse>;
  user: object;
}

const FLOWS: Record<string, Flow> = {
  'a sign-up': {
    request: ({ email }) => post(server, '/signup', { email, password: PASSWORD, data: { name: 'Ann' } }),
    user: {
      role: 'authenticated',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Ann' },
      is_anonymous: false,
    },
  },
  'a sign-up to be confirmed': {
    request: ({ email }) => post(confirming, '/signup', { email, password: PASSWORD }),
    user: { app_metadata: { provider: 'email' } },
  },
  'a sign-up by phone': {
    request: ({ phone }) => post(server, '/signup', { phone, password: PASSWORD }),
    user: { email: '', app_metadata: { provider: 'phone' } },
  },
  'an anonymous sign-up': {
    request: () => post(server, '/signup', { data: { name: 'Nobody' } }),
    user: { email: '', phone: '', is_anonymous: true, user_metadata: { name: 'Nobody' } },
  },
  'a link': {
    request: ({ email }) => post(confirming, '/otp', { email }),
    user: { app_metadata: { provider: 'email' } },
  },
  'a link, of the older endpoint': {
    request: ({ email }) => post(server, '/magiclink', { email }),
    user: {},
  },
  'a code': {
    request: ({ phone }) => post(server, '/otp', { phone }),
    user: { app_metadata: { provider: 'phone' } },
  },
  'an invitation': {
    request: ({ email }) => post(server, '/invite', { email, data: { team: 1 } }, key),
    user: { user_metadata: { team: 1 } },
  },
  'a link for a sign-up': {
    request: ({ email }) =>
      post(server, '/admin/generate_link', { type: 'signup', email, password: PASSWORD }, key),
    user: { app_metadata: { provider: 'email' } },
  },
  'a link for an invitation': {
    request: ({ email }) => post(server, '/admin/generate_link', { type: 'invite', email }, key),
    user: {},
  },
};

describe.each(Object.entries(FLOWS))('%s', (_, { request, user }) => {
  it('calls the hooks before and after', async () => {
    const address = { email: newEmail(), phone: newPhone() };
    const { status, text } = await request(address);
    expect(status, text).toBe(200);
    const [before, ...more] = callsOf('before');
    const [after, ...others] = callsOf('after');
    expect([more, others]).toEqual([[], []]);
    expect(before?.body.user).toMatchObject({
      aud: 'authenticated',
      identities: [],
      created_at: expect.any(String),
      ...user,
    });
    expect(before?.body.user.last_sign_in_at).toBeUndefined();
    expect(after?.body.user.id).toBe(before?.body.user.id);
    const [row] = await server.database.admin.query({
      text: 'select id, email, phone from auth.users where id = $1',
      values: [after?.body.user.id],
    });
    const { email, phone } = before?.body.user ?? {};
    expect(row).toEqual({ id: after?.body.user.id, email: email || null, phone: phone || null });
  });

  it('can be rejected and then writes nothing', async () => {
    const address = { email: newEmail(), phone: newPhone() };
    const before = await counts();
    hooks.reply = () => ({ body: REFUSED });
    const { status, json } = await request(address);
    expect({ status, json }).toEqual({
      status: 403,
      json: { code: 403, error_code: 'unknown', msg: 'Members only' },
    });
    expect(await counts()).toEqual(before);
    expect(callsOf('after')).toEqual([]);
    expect(await messagesTo(server, address.email)).toEqual([]);
  });

  it('fails if the hook afterwards fails, but the account stays', async () => {
    hooks.reply = ({ body }) => ({ body: body.metadata.name.startsWith('after') ? REFUSED : {} });
    const { status } = await request({ email: newEmail(), phone: newPhone() });
    expect(status).toBe(403);
    const rows = await server.database.admin.query({
      text: 'select from auth.users where id = $1',
      values: [callsOf('after')[0]?.body.user.id],
    });
    expect(rows).toHaveLength(1);
  });
});

describe('requests that do not call the hook', () => {
  it.each<[string, (email: string) => Promise<TestResponse>, number]>([
    ['a sign-in', (email) => post(server, '/token?grant_type=password', { email, password: PASSWORD }), 200],
    ['a second sign-up', (email) => post(server, '/signup', { email, password: PASSWORD }), 422],
    ['a code for an existing user', (email) => post(server, '/otp', { email }), 200],
    ['an invitation of an existing user', (email) => post(server, '/invite', { email }, key), 422],
    [
      'a code for an unknown user without create_user',
      () => post(server, '/otp', { email: newEmail(), create_user: false }),
      422,
    ],
    ['an account created by an admin', () => post(server, '/admin/users', { email: newEmail() }, key), 200],
  ])('include %s', async (_, request, expected) => {
    const { email } = await signUpPerson(server);
    hooks.calls.length = 0;
    hooks.reply = () => ({ body: REFUSED });
    const { status, text } = await request(email);
    expect(status, text).toBe(expected);
    expect(hooks.calls).toEqual([]);
  });
});

describe('a database function', () => {
  it('rejects concurrent requests, and its own writes stay', async () => {
    await server.database.admin.query({ text: 'create table public.attempts (email text)' });
    await server.database.admin.query({ text: 'grant all on public.attempts to supabase_auth_admin' });
    const env = {
      ...functionEnv('BEFORE_USER_CREATED', 'members'),
      ...functionEnv('AFTER_USER_CREATED', 'welcome'),
    };
    const sql = await startAuthServer(env, server);
    await createFunction(
      sql,
      'members',
      `begin
        insert into public.attempts values (event -> 'user' ->> 'email');
        if event -> 'user' ->> 'email' like '%@example.org' then return '{}'; end if;
        return '{"error": {"http_code": 422, "message": "Members only"}}';
      end`,
    );
    await createFunction(
      sql,
      'welcome',
      `begin
        update public.attempts set email = 'welcome' from auth.users u
        where attempts.email = u.email and u.id = (event -> 'user' ->> 'id')::uuid;
        return null;
      end`,
    );
    const emails = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? newEmail() : newEmail().replace('example.org', 'example.com'),
    );
    const responses = await Promise.all(
      emails.map((email) => post(sql, '/signup', { email, password: PASSWORD })),
    );
    expect(responses.map(({ status }) => status)).toEqual(emails.map((_, index) => (index % 2 ? 200 : 422)));
    const audited = await server.database.admin.query({
      text: `select count(*)::int as all, count(*) filter (where email = 'welcome')::int as welcome from public.attempts`,
    });
    expect(audited).toEqual([{ all: 20, welcome: 10 }]);
    await sql.close();
  });
});
