import { randomUUID } from 'node:crypto';
import { TEST_JWT_SECRET } from '@greenroom/testing';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { play, type Scenario, send } from '../testing/scenario.ts';

let server: AuthServer;
let ann: Person;
const tokens: Record<string, string> = {};
const NAMES = ['ann', 'bob', 'cid', 'dora', 'eve'];

beforeAll(async () => {
  server = await startAuthServer();
  const secret = new TextEncoder().encode(TEST_JWT_SECRET);
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret);
  for (const name of NAMES) await signUpPerson(server, `${name}@example.org`);
  ann = await signUpPerson(server, 'ann@example.com');
  const headers = { 'x-jwt-aud': 'elsewhere' };
  const body = { email: 'zoe@example.org', password: PASSWORD };
  await send(server, { method: 'POST', path: '/signup', headers, body });
  Object.assign(tokens, {
    service: await sign({ role: 'service_role' }),
    supabaseAdmin: await sign({ role: 'supabase_admin', sub: 'not a uuid' }),
    anon: await sign({ role: 'anon' }),
    user: ann.accessToken,
    text: 'x',
    adminSession: await sign({ role: 'service_role', sub: ann.id, session_id: ann.sessionId }),
    endedSession: await sign({ role: 'service_role', sub: ann.id, session_id: randomUUID() }),
    namelessSession: await sign({ role: 'service_role', session_id: ann.sessionId }),
  });
});
afterAll(() => server.close());

const list = (query: string, as = 'service') =>
  send(server, { path: `/admin/users${query}`, bearer: tokens[as] });
const emailsOf = async (query: string) =>
  (await list(query)).json.users.map(({ email }: { email: string }) => email);

describe('GET /admin/users', () => {
  it('returns users of the audience, newest first, without identities and factors', async () => {
    const { status, headers, json } = await list('?page=&per_page=');
    expect(status).toBe(200);
    expect(json.aud).toBe('authenticated');
    expect(json.users.map(({ email }: { email: string }) => email)).toEqual([
      'ann@example.com',
      ...NAMES.map((name) => `${name}@example.org`).reverse(),
    ]);
    expect(json.users[0]).toMatchObject({
      id: ann.id,
      identities: null,
      app_metadata: { provider: 'email' },
    });
    expect(json.users[0]).not.toHaveProperty('factors');
    expect([headers.get('x-total-count'), headers.get('link')]).toEqual([
      '6',
      '</auth/v1/admin/users?page=1&per_page=50>; rel="last"',
    ]);
  });

  it('returns pages', async () => {
    const { headers } = await list('?per_page=2&page=2');
    expect(await emailsOf('?per_page=2&page=2')).toEqual(['dora@example.org', 'cid@example.org']);
    expect(headers.get('link')).toBe(
      '</auth/v1/admin/users?page=3&per_page=2>; rel="next", </auth/v1/admin/users?page=3&per_page=2>; rel="last"',
    );
  });

  it('returns the total, even beyond the last page', async () => {
    const { headers, json } = await list('?page=9');
    expect([headers.get('x-total-count'), json.users]).toEqual(['6', []]);
  });

  it('sorts ascending', async () => {
    expect((await emailsOf('?sort=created_at%20asc'))[0]).toBe('ann@example.org');
    expect((await emailsOf('?sort=created_at%20DESC'))[0]).toBe('ann@example.com');
    expect((await emailsOf('?sort=created_at'))[0]).toBe('ann@example.com');
  });

  it.each([
    ['ann', ['ann@example.com', 'ann@example.org']],
    [
      'o',
      [
        'ann@example.com',
        'eve@example.org',
        'dora@example.org',
        'cid@example.org',
        'bob@example.org',
        'ann@example.org',
      ],
    ],
    ['ora@', ['dora@example.org']],
    ['evelyn', ['eve@example.org']],
    ['EVELYN', ['eve@example.org']],
    ['a%n', ['ann@example.com', 'ann@example.org']],
    ['\\', []],
    ["' or true --", []],
  ])('filters by a part of address or full name: %j', async (filter, expected) => {
    await server.database.admin.query({
      text: `update auth.users set raw_user_meta_data = '{"full_name": "Evelyn"}' where email = 'eve@example.org'`,
    });
    expect(await emailsOf(`?filter=${encodeURIComponent(filter)}`)).toEqual(expected);
  });

  it('returns users of another audience', async () => {
    const headers = { 'x-jwt-aud': 'elsewhere' };
    const { json } = await send(server, { path: '/admin/users', headers, bearer: tokens.service });
    expect([json.aud, json.users.length, json.users[0].email]).toEqual(['elsewhere', 1, 'zoe@example.org']);
  });

  it.each(['service', 'supabaseAdmin', 'adminSession'])('accepts the token %s', async (as) => {
    expect((await list('', as)).status).toBe(200);
  });

  const refuse = (name: string, as: string, status: number, code: string, message = ''): Scenario => {
    const contains = [`"error_code":"${code}"`, message];
    return { name, path: '/admin/users', as, status, contains, lacks: ['example.org'] };
  };

  it.each([
    refuse('no token', 'nobody', 401, 'no_authorization'),
    refuse('the anon key', 'anon', 403, 'not_admin', 'User not allowed'),
    refuse('a user', 'user', 403, 'not_admin', 'User not allowed'),
    refuse('a malformed token', 'text', 403, 'bad_jwt'),
    refuse('an admin whose session was ended', 'endedSession', 403, 'session_not_found'),
    refuse('a session without a user', 'namelessSession', 403, 'bad_jwt', 'missing sub claim'),
    { ...refuse('a bad page', 'service', 400, 'validation_failed'), path: '/admin/users?page=x' },
    { ...refuse('a page size of 0', 'service', 400, 'validation_failed'), path: '/admin/users?per_page=0' },
    {
      ...refuse('a huge page', 'service', 400, 'validation_failed'),
      path: '/admin/users?page=99999999999999999999',
    },
    {
      ...refuse('another sort field', 'service', 400, 'validation_failed', 'Bad Sort'),
      path: '/admin/users?sort=email',
    },
    {
      ...refuse('SQL', 'service', 400, 'validation_failed'),
      path: '/admin/users?sort=created_at%20asc;drop',
    },
    {
      ...refuse('a long filter', 'service', 400, 'validation_failed', '255 characters'),
      path: `/admin/users?filter=${'x'.repeat(256)}`,
    },
    { ...refuse('a NUL', 'service', 400, 'validation_failed'), path: '/admin/users?filter=a%00' },
  ])('rejects $name', async (scenario) => {
    await play(server, scenario, tokens);
  });

  it('rejects an admin whose session has expired', async () => {
    await server.database.admin.query({
      text: 'update auth.sessions set not_after = now() where id = $1',
      values: [ann.sessionId],
    });
    expect(await list('', 'adminSession')).toMatchObject({
      status: 403,
      json: { error_code: 'session_expired', msg: 'Session is no longer valid' },
    });
  });
});
