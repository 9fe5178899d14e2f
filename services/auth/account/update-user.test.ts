import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import {
  newEmail,
  newPhone,
  PASSWORD,
  type Person,
  refresh,
  signInPerson,
  signUpPerson,
} from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
const others: AuthServer[] = [];

beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(async () => {
  for (const other of others) await other.close();
  await server.close();
});

async function startAnother(env: Record<string, string>): Promise<AuthServer> {
  const other = await startAuthServer(env, server);
  others.push(other);
  return other;
}

const update = ({ accessToken }: Person, body: object, at: AuthServer = server) =>
  send(at, { method: 'PUT', path: '/user', body, bearer: accessToken });
const execute = (text: string, ...values: unknown[]) => server.database.admin.query({ text, values });
const canSignIn = async (email: string, password: string) => {
  const path = '/token?grant_type=password';
  return (await send(server, { method: 'POST', path, body: { email, password } })).status === 200;
};
const refused = (status: number, code: string) => ({ status, json: { error_code: code } });

async function anonymousPerson(): Promise<Person> {
  const open = await startAnother({ GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' });
  const { json } = await send(open, { method: 'POST', path: '/signup', body: {} });
  const { access_token: accessToken, refresh_token: refreshToken, user } = json;
  return { email: '', id: user.id, sessionId: '', accessToken, refreshToken };
}

describe('data', () => {
  it('merges at the top level, and null removes a key', async () => {
    const ann = await signUpPerson(server);
    await update(ann, { data: { a: 1, b: { c: 1 } } });
    const { status, json } = await update(ann, { data: { a: null, b: { d: 2 }, e: [null] } });
    expect(status).toBe(200);
    expect(json.user_metadata).toEqual({
      b: { d: 2 },
      e: [null],
      sub: ann.id,
      email: ann.email,
      email_verified: true,
      phone_verified: false,
    });
    expect((await send(server, { path: '/user', bearer: ann.accessToken })).json).toEqual(json);
  });

  it('merges concurrent changes', async () => {
    const ann = await signUpPerson(server);
    const keys = Array.from({ length: 10 }, (_, index) => `key${index}`);
    await Promise.all(keys.map((key) => update(ann, { data: { [key]: key } })));
    const { json } = await send(server, { path: '/user', bearer: ann.accessToken });
    expect(json.user_metadata).toMatchObject(Object.fromEntries(keys.map((key) => [key, key])));
  });

  it('accepts any JSON', async () => {
    const ann = await signUpPerson(server);
    const data = {
      text: 'ä😀"\\\n',
      number: -1.5e300,
      nested: { list: [1, [true, { deep: null }]] },
    };
    expect((await update(ann, { data })).json.user_metadata).toMatchObject(data);
  });

  it('rejects data that is too large for a token', async () => {
    const ann = await signUpPerson(server);
    const largest = { data: { text: 'x'.repeat(32_000) } };
    expect((await update(ann, largest)).status).toBe(200);
    const { json } = await refresh(server, ann.refreshToken);
    expect(
      (await send(server, { path: '/user', bearer: json.access_token })).json.user_metadata,
    ).toMatchObject(largest.data);
    expect(await update(ann, { data: { more: 'x'.repeat(1000) } })).toMatchObject(
      refused(400, 'validation_failed'),
    );
    expect((await update(ann, { data: { text: null, more: 'x'.repeat(1000) } })).status).toBe(200);
  });

  it('stays unchanged without changes', async () => {
    const ann = await signUpPerson(server);
    const { json } = await update(ann, { data: null, email: null, phone: '', password: null });
    expect(json.user_metadata).toMatchObject({ email: ann.email });
    expect(await canSignIn(ann.email, PASSWORD)).toBe(true);
  });
});

describe('app_metadata', () => {
  it('rejects a change by the user', async () => {
    const ann = await signUpPerson(server);
    expect(await update(ann, { app_metadata: { role: 'admin' } })).toMatchObject(refused(403, 'not_admin'));
  });

  it('accepts a change by a user with the admin role and the configured audience', async () => {
    const ann = await signUpPerson(server);
    await execute("update auth.users set role = 'admin' where id = $1", ann.id);
    const { json } = await update(ann, { app_metadata: { plan: 'pro', provider: null } });
    expect(json.app_metadata).toEqual({ plan: 'pro', providers: ['email'] });
    await execute("update auth.users set aud = 'elsewhere' where id = $1", ann.id);
    expect(await update(ann, { app_metadata: {} })).toMatchObject(refused(403, 'not_admin'));
  });
});

describe('a new password', () => {
  it('takes effect immediately, keeps this session and ends the others', async () => {
    const first = await signUpPerson(server);
    const second = await signInPerson(server, first.email);
    expect((await update(first, { password: 'new horse' })).status).toBe(200);
    expect([await canSignIn(first.email, PASSWORD), await canSignIn(first.email, 'new horse')]).toEqual([
      false,
      true,
    ]);
    expect((await refresh(server, first.refreshToken)).status).toBe(200);
    expect(await refresh(server, second.refreshToken)).toMatchObject(refused(400, 'refresh_token_not_found'));
  });

  it('ends all sessions if the token has none', async () => {
    const ann = await signUpPerson(server);
    const accessToken = await server.keys.sign({
      sub: ann.id,
      aud: 'authenticated',
      exp: Date.now() / 1000 + 60,
    });
    expect((await update({ ...ann, accessToken }, { password: 'new horse' })).status).toBe(200);
    expect((await refresh(server, ann.refreshToken)).status).toBe(400);
  });

  it('revokes pending codes and links', async () => {
    const ann = await signUpPerson(server);
    await execute(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
        values (gen_random_uuid(), $1, 'recovery_token', 'hash', 'x')`,
      ann.id,
    );
    await execute(
      "update auth.users set recovery_token = 'hash', recovery_sent_at = now() where id = $1",
      ann.id,
    );
    const { json } = await update(ann, { password: 'new horse' });
    expect(json).not.toHaveProperty('recovery_sent_at');
    expect(await execute('select from auth.one_time_tokens where user_id = $1', ann.id)).toEqual([]);
  });

  it('writes an audit entry', async () => {
    const ann = await signUpPerson(server);
    await update(ann, { password: 'new horse' });
    const rows = await execute(
      `select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
      ann.id,
    );
    const actions = ['login', 'user_modified', 'user_signedup', 'user_updated_password'];
    expect(rows.map(({ action }) => action).sort()).toEqual(actions);
  });

  it.each([
    ['the current password', { password: PASSWORD }, 422, 'same_password'],
    ['a weak password', { password: 'x' }, 422, 'weak_password'],
    ['an empty password', { password: '' }, 422, 'weak_password'],
    ['a password that is too long', { password: 'x'.repeat(73) }, 400, 'validation_failed'],
  ])('rejects an invalid change: %s', async (_, body, status, code) => {
    const ann = await signUpPerson(server);
    expect(await update(ann, body)).toMatchObject(refused(status, code));
    expect(await canSignIn(ann.email, PASSWORD)).toBe(true);
  });

  it.each([
    ['a missing one', {}, 400, 'current_password_required'],
    ['a wrong one', { current_password: 'wrong horse' }, 400, 'current_password_invalid'],
  ])('requires the current password if configured, and rejects %s', async (_, current, status, code) => {
    const strict = await startAnother({ GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: 'true' });
    const ann = await signUpPerson(server);
    const body = { password: 'new horse', ...current };
    expect(await update(ann, body, strict)).toMatchObject(refused(status, code));
    expect((await update(ann, { password: 'new horse', current_password: PASSWORD }, strict)).status).toBe(
      200,
    );
  });

  it('rejects even the right current password after ten wrong ones', async () => {
    const strict = await startAnother({ GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: 'true' });
    const ann = await signUpPerson(server);
    const change = async (current_password: string) =>
      (await update(ann, { password: 'new horse', current_password }, strict)).json.error_code;
    for (let guess = 0; guess < 10; guess++) {
      expect(await change(`guess ${guess}`)).toBe('current_password_invalid');
    }
    expect(await change(PASSWORD)).toBe('over_request_rate_limit');
  });

  it.each(['otp', 'magiclink', 'recovery'])(
    'requires no current password after a sign-in by %s',
    async (method) => {
      const strict = await startAnother({
        GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: 'true',
      });
      const ann = await signUpPerson(server);
      await execute(
        `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
        values (gen_random_uuid(), $1, $2, now(), now())`,
        ann.sessionId,
        method,
      );
      expect((await update(ann, { password: 'new horse' }, strict)).status).toBe(200);
    },
  );
});

describe('a new email address', () => {
  it('of a permanent user takes effect after a confirmation', async () => {
    const ann = await signUpPerson(server);
    const email = newEmail();
    const { status, json } = await update(ann, { email: email.toUpperCase() });
    expect([status, json.email, json.new_email]).toEqual([200, ann.email, email]);
    expect(json.email_change_sent_at).toEqual(expect.any(String));
    expect([await canSignIn(ann.email, PASSWORD), await canSignIn(email, PASSWORD)]).toEqual([true, false]);
  });

  it('of an anonymous user takes effect immediately and makes the account permanent', async () => {
    const anonymous = await anonymousPerson();
    const email = newEmail();
    const { status, json } = await update(anonymous, { email, password: PASSWORD });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      email,
      is_anonymous: false,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { email_verified: true },
      identities: [
        { provider: 'email', id: anonymous.id, email, identity_data: { email, email_verified: true } },
      ],
    });
    expect(json).not.toHaveProperty('new_email');
    expect(await canSignIn(email, PASSWORD)).toBe(true);
    expect((await refresh(server, anonymous.refreshToken)).json.user.is_anonymous).toBe(false);
  });

  it.each([
    ['an invalid address', async () => 'x@', 400, 'validation_failed'],
    ['the address of another user', async () => (await signUpPerson(server)).email, 422, 'email_exists'],
  ])('rejects an invalid change: %s', async (_, address, status, code) => {
    const ann = await signUpPerson(server);
    expect(await update(ann, { email: await address() })).toMatchObject(refused(status, code));
  });

  it('accepts the current address without a change', async () => {
    const ann = await signUpPerson(server);
    const { status, json } = await update(ann, { email: ann.email.toUpperCase() });
    expect([status, json.email, json.new_email]).toEqual([200, ann.email, undefined]);
  });
});

describe('a new phone number', () => {
  it('takes effect immediately, with a new identity', async () => {
    const ann = await signUpPerson(server);
    const phone = newPhone();
    const { json } = await update(ann, { phone: `+${phone}` });
    expect(json).toMatchObject({
      phone,
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email', 'phone'] },
      identities: [
        { provider: 'email' },
        { provider: 'phone', identity_data: { phone, phone_verified: true } },
      ],
    });
  });

  it('replaces the previous number', async () => {
    const ann = await signUpPerson(server);
    await update(ann, { phone: newPhone() });
    const phone = newPhone();
    const { json } = await update(ann, { phone });
    expect(json).toMatchObject({ phone, identities: [{}, { identity_data: { sub: ann.id, phone } }] });
    expect(json.identities).toHaveLength(2);
  });

  it('makes an anonymous account permanent', async () => {
    const { json } = await update(await anonymousPerson(), { phone: newPhone() });
    expect(json).toMatchObject({
      is_anonymous: false,
      app_metadata: { provider: 'phone', providers: ['phone'] },
    });
  });

  it.each([
    ['an invalid number', async () => '555-01', {}, 400, 'validation_failed'],
    ['another channel', async () => newPhone(), { channel: 'whatsapp' }, 400, 'validation_failed'],
    [
      'the number of another user',
      async () => {
        const phone = newPhone();
        await update(await signUpPerson(server), { phone });
        return phone;
      },
      {},
      422,
      'phone_exists',
    ],
  ])('rejects an invalid change: %s', async (_, number, fields, status, code) => {
    const ann = await signUpPerson(server);
    expect(await update(ann, { phone: await number(), ...fields })).toMatchObject(refused(status, code));
  });

  it('goes to one of several concurrent requests', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => signUpPerson(server)));
    const phone = newPhone();
    const responses = await Promise.all(people.map((person) => update(person, { phone })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    const codes = new Set(responses.flatMap(({ json }) => json.error_code ?? []));
    expect(codes).toEqual(new Set(['phone_exists']));
  });
});

describe('permissions', () => {
  it('rejects a password for an anonymous user without an address', async () => {
    const response = await update(await anonymousPerson(), { password: PASSWORD });
    expect(response).toMatchObject(refused(422, 'validation_failed'));
  });

  const factor = (id: string) =>
    execute(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      id,
    );

  it.each([{ password: 'new horse' }, { email: 'new@example.org' }, { phone: '15550199' }])(
    'rejects a session at aal1 of a user with a second factor: %j',
    async (body) => {
      const ann = await signUpPerson(server);
      await factor(ann.id);
      expect(await update(ann, body)).toMatchObject(refused(401, 'insufficient_aal'));
    },
  );

  it('accepts these changes at aal2, and other changes at aal1', async () => {
    const ann = await signUpPerson(server);
    await factor(ann.id);
    expect((await update(ann, { data: { a: 1 } })).status).toBe(200);
    await execute("update auth.sessions set aal = 'aal2' where id = $1", ann.sessionId);
    expect((await update(ann, { password: 'new horse' })).status).toBe(200);
  });

  it('rejects new credentials for an SSO user', async () => {
    const ann = await signUpPerson(server);
    await execute('update auth.users set is_sso_user = true where id = $1', ann.id);
    expect(await update(ann, { password: 'new horse' })).toMatchObject(refused(422, 'user_sso_managed'));
    expect((await update(ann, { data: { a: 1 } })).status).toBe(200);
  });

  it('rejects a request without a token', async () => {
    const response = await send(server, { method: 'PUT', path: '/user', body: { data: {} } });
    expect(response).toMatchObject(refused(401, 'no_authorization'));
  });
});

it('rejects a change if a trigger raises an exception', async () => {
  const ann = await signUpPerson(server);
  await execute(`create function public.refuse() returns trigger language plpgsql as $$
    begin raise exception 'not now'; end $$`);
  await execute(`create trigger refuse before update on auth.users for each row
    when (new.raw_user_meta_data ? 'forbidden') execute function public.refuse()`);
  const response = await update(ann, { data: { forbidden: 1 }, phone: newPhone() });
  await execute('drop function public.refuse cascade');
  expect(response).toMatchObject({ status: 500, json: { code: 'P0001', message: 'not now' } });
  const { json } = await send(server, { path: '/user', bearer: ann.accessToken });
  expect(json.phone).toBe('');
});
