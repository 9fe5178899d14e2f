/** Admin requests with every field in every wrong type, and arbitrary bodies. None may cause a 500. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminCall, addFactor, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, newPhone, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';

let server: AuthServer;
let call: AdminCall;
let ann: Person;
beforeAll(async () => {
  server = await startAuthServer();
  ({ call } = await serviceOf(server));
  ann = await signUpPerson(server);
});
afterAll(() => server.close());

const TEXTS = ['id', 'aud', 'role', 'email', 'phone', 'password', 'password_hash', 'ban_duration'];
const FLAGS = ['email_confirm', 'phone_confirm'];
const OBJECTS = ['user_metadata', 'app_metadata'];
const WRONG: [names: readonly string[], values: readonly unknown[]][] = [
  [TEXTS, [1, 1.5, true, false, {}, [], ['a']]],
  [FLAGS, [0, 1, 'true', '', {}, []]],
  [OBJECTS, [0, 1, 'text', '', true, [], ['a']]],
];
const wrongFields = WRONG.flatMap(([names, values]) =>
  names.flatMap((name) => values.map((value) => [name, value] as const)),
);

describe.each(['POST', 'PUT'] as const)('%s', (method) => {
  const path = () => (method === 'POST' ? '/admin/users' : `/admin/users/${ann.id}`);

  it.each(wrongFields)('rejects %s: %j', async (name, value) => {
    const { status, json } = await call(method, path(), { email: newEmail(), [name]: value });
    expect([status, json.error_code]).toEqual([400, 'bad_json']);
    expect(json.msg).toContain(name);
  });

  it.each([...TEXTS, ...FLAGS, ...OBJECTS])('treats null as absent for %s', async (name) => {
    const { status } = await call(method, path(), { email: newEmail(), phone: newPhone(), [name]: null });
    expect(status).toBe(200);
  });

  it.each(['', '{', 'null', '[]', '"a"', '1', '\u0000'])(
    'does not respond with 500 to the body %j',
    async (body) => {
      const { status, json } = await call(method, path(), body);
      // An empty object changes nothing. Null counts as one, as in GoTrue.
      if (method === 'PUT' && body === 'null') expect(status).toBe(200);
      else
        expect([400, json.error_code]).toEqual([status, expect.stringMatching(/bad_json|validation_failed/)]);
    },
  );

  it('does not respond with 500 to arbitrary bodies', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\0', '\ud800', '%', "'", '__proto__', 'x'.repeat(300), 'none', '1h', '-1h', '0'),
      fc.constantFrom('$2a$10$', '$argon2id$v=19$m=8,t=1,p=1$YQ$YQ', '$fbscrypt$v=1', randomUUID(), ann.id),
      fc.emailAddress(),
    );
    const value = fc.oneof(text, text, fc.anything({ maxDepth: 2 }), fc.dictionary(text, text), fc.boolean());
    const names = [...TEXTS, ...FLAGS, ...OBJECTS];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 }), async (fields) => {
        const body = JSON.stringify({ email: newEmail(), ...fields }, (_, item) =>
          typeof item === 'bigint' ? `${item}` : item,
        );
        const response = await call(method, path(), body);
        expect(response.status, response.text).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a ban', () => {
  const until = async (ban_duration: string) =>
    (await call('PUT', `/admin/users/${ann.id}`, { ban_duration })).json.banned_until;

  it.each([
    ['24h', 24 * 3600],
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['+90m', 5400],
  ])('lasts %s', async (text, seconds) => {
    const before = Date.now();
    const ends = new Date(await until(text)).getTime();
    expect(ends).toBeGreaterThanOrEqual(before + seconds * 1000);
    expect(ends).toBeLessThanOrEqual(Date.now() + seconds * 1000);
  });

  it.each(['none', '0', '0s', '-1h'])('is lifted by %s', async (text) => {
    expect(await until('1h')).toBeDefined();
    expect(await until(text)).toBeUndefined();
  });

  it('is unchanged without a duration', async () => {
    const banned = await until('1h');
    expect(await until('')).toBe(banned);
    expect(await until('none')).toBeUndefined();
  });

  it.each(['1', '1d', 'forever', '1h 30m', '∞', '9999999999999999h', 'x'.repeat(1000)])(
    'rejects %j',
    async (ban_duration) => {
      for (const [method, path] of [
        ['POST', '/admin/users'],
        ['PUT', `/admin/users/${ann.id}`],
      ] as const) {
        const { status, json } = await call(method, path, { email: newEmail(), ban_duration });
        expect([status, json.error_code]).toEqual([400, 'validation_failed']);
        expect(json.msg).toMatch(/^invalid format for ban duration/);
      }
    },
  );

  it('can start with the creation of the account', async () => {
    const body = { email: newEmail(), ban_duration: '1h' };
    expect((await call('POST', '/admin/users', body)).json.banned_until).toBeDefined();
  });
});

describe('an id', () => {
  it('is taken from the body, in lower case', async () => {
    const id = randomUUID();
    const { status, json } = await call('POST', '/admin/users', { id: id.toUpperCase(), email: newEmail() });
    expect([status, json.id, json.identities[0].id]).toEqual([200, id, id]);
  });

  it.each([
    ['me', 400, 'ID must conform to the uuid v4 format'],
    ['00000000-0000-0000-0000-000000000000', 400, 'ID cannot be a nil uuid'],
  ])('cannot be %s', async (id, status, message) => {
    const response = await call('POST', '/admin/users', { id, email: newEmail() });
    expect([response.status, response.json.msg]).toEqual([status, message]);
  });

  it('must be unique', async () => {
    const { status, json } = await call('POST', '/admin/users', { id: ann.id, email: newEmail() });
    expect([status, json.error_code]).toEqual([422, 'user_already_exists']);
  });
});

describe('metadata', () => {
  it('is merged; null removes a key', async () => {
    const created = await call('POST', '/admin/users', {
      email: newEmail(),
      user_metadata: { a: 1, b: { c: 2 } },
      app_metadata: { d: 3, e: null },
    });
    expect(created.json.app_metadata).toEqual({ provider: 'email', providers: ['email'], d: 3 });
    const changed = await call('PUT', `/admin/users/${created.json.id}`, {
      user_metadata: { a: null, b: { x: 1 }, f: 4 },
      app_metadata: { d: null, role: 'admin' },
    });
    expect(changed.json.user_metadata).toEqual({ b: { x: 1 }, f: 4 });
    expect(changed.json.app_metadata).toEqual({ provider: 'email', providers: ['email'], role: 'admin' });
  });

  it('must fit into a token after merging', async () => {
    const half = 'x'.repeat(20_000);
    const { json } = await call('POST', '/admin/users', { email: newEmail(), user_metadata: { half } });
    const put = (other: string | null) =>
      call('PUT', `/admin/users/${json.id}`, { user_metadata: { other, more: half } });
    expect((await put(null)).json.error_code).toBe('validation_failed');
  });
});

describe('a new password', () => {
  it.each([
    ['', 422, 'weak_password'],
    ['12345', 422, 'weak_password'],
    ['x'.repeat(73), 400, 'validation_failed'],
  ])('rejects %j', async (password, status, code) => {
    const response = await call('PUT', `/admin/users/${ann.id}`, { password });
    expect([response.status, response.json.error_code]).toEqual([status, code]);
  });

  it('is hashed only for existing users', async () => {
    const response = await call('PUT', `/admin/users/${randomUUID()}`, { password: '1' });
    expect([response.status, response.json.error_code]).toEqual([404, 'user_not_found']);
  });

  it('may be weak when an account is created', async () => {
    expect((await call('POST', '/admin/users', { email: newEmail(), password: '1' })).status).toBe(200);
  });
});

describe('paths', () => {
  const BELOW = ['', '/factors', '/passkeys', '/sessions'];
  it.each(BELOW)('/admin/users/:userId%s rejects an invalid or unknown id', async (rest) => {
    for (const [id, code, message] of [
      ['me', 'validation_failed', 'user_id must be an UUID'],
      ['%00', 'validation_failed', 'user_id must be an UUID'],
      [randomUUID(), 'user_not_found', 'User not found'],
    ]) {
      const { status, json } = await call('GET', `/admin/users/${id}${rest}`);
      expect([status, json.error_code, json.msg]).toEqual([404, code, message]);
    }
  });

  it.each([
    ['factors', 'factor_id', 'mfa_factor_not_found'],
    ['passkeys', 'passkey_id', 'validation_failed'],
    ['sessions', 'session_id', 'session_not_found'],
  ])('…/%s/:id rejects an invalid or unknown id', async (kind, name, code) => {
    const path = `/admin/users/${ann.id}/${kind}`;
    expect((await call('DELETE', `${path}/me`)).json.msg).toBe(`${name} must be an UUID`);
    const { status, json } = await call('DELETE', `${path}/${randomUUID()}`);
    expect([status, json.error_code]).toEqual([404, code]);
  });
});

describe('a second factor', () => {
  it.each([
    [{ friendly_name: 7 }, 400, 'bad_json'],
    [{ friendly_name: 'x'.repeat(256) }, 400, 'validation_failed'],
    [{ friendly_name: '\0' }, 400, 'validation_failed'],
    [{ phone: {} }, 400, 'bad_json'],
    [{ friendly_name: 'Tablet' }, 422, 'mfa_factor_name_conflict'],
  ])('is not changed by %j', async (body, status, code) => {
    const bob = await signUpPerson(server);
    await addFactor(server, bob.id, 'Tablet');
    const id = await addFactor(server, bob.id, 'Phone');
    const response = await call('PUT', `/admin/users/${bob.id}/factors/${id}`, body);
    expect([response.status, response.json.error_code]).toEqual([status, code]);
  });

  it('keeps absent fields, and has a number only if it is by SMS', async () => {
    const bob = await signUpPerson(server);
    const id = await addFactor(server, bob.id, 'Phone');
    const put = (body: object) => call('PUT', `/admin/users/${bob.id}/factors/${id}`, body);
    expect((await put({})).json).toMatchObject({ id, friendly_name: 'Phone' });
    expect((await put({ friendly_name: '', phone: 'nonsense' })).json).toMatchObject({
      friendly_name: 'Phone',
      phone: '',
    });
  });
});

describe('the audit log', () => {
  it.each(['author:%00', 'author:%25%5C', `author:${'x'.repeat(300)}`, 'type:%F0%9F%98%80', '%00', ':'])(
    'does not respond with 500 to ?query=%s',
    async (query) => {
      expect((await call('GET', `/admin/audit?query=${query}`)).status).toBeLessThan(500);
    },
  );

  it.each([
    ['author', (person) => person.email],
    ['action', () => 'user_signedup'],
    ['type', () => 'team'],
  ] as [string, (person: Person) => string][])('is searched by %s', async (scope, text) => {
    const { json, headers } = await call('GET', `/admin/audit?query=${scope}:${text(ann)}&per_page=2`);
    expect(json[0]).toMatchObject({ id: expect.any(String), ip_address: '127.0.0.1' });
    expect(json[0].payload.log_type).toBeDefined();
    expect(headers.get('link')).toContain('rel="last"');
  });
});

it('a password set by an admin works', async () => {
  const email = newEmail();
  await call('POST', '/admin/users', { email, password: PASSWORD, email_confirm: true });
  const signedIn = await call('POST', '/token?grant_type=password', { email, password: PASSWORD });
  expect(signedIn.json.user.email).toBe(email);
});
