/** The calls of the specification, section 7, as the official client makes them on the wire. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

const ID = '7f1c6e9a-3f53-4a39-9b07-3f0f5f9c1a11';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const ACCESS_TOKEN = `${encode({ alg: 'HS256' })}.${encode({ sub: ID, exp: 4_000_000_000 })}.c2lnbmF0dXJl`;
const USER = { id: ID, aud: 'authenticated', email: 'a@example.org', factors: [], identities: [] };
const SESSION = {
  access_token: ACCESS_TOKEN,
  refresh_token: 'refresh',
  expires_in: 3600,
  expires_at: 4_000_000_000,
  token_type: 'bearer',
  user: USER,
};
const identity = { id: ID, identity_id: ID, user_id: ID, provider: 'google', identity_data: {} };

let server: RecordingServer;
let client: SupabaseClient;

beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  server.answer = { status: 200, body: { ...SESSION, ...USER } };
  client = newClient('anon-key');
  await client.auth.setSession(SESSION);
  server.calls = [];
});

function newClient(key: string): SupabaseClient {
  return createClient(server.url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

type Row = [line: string, call: (client: SupabaseClient) => PromiseLike<unknown>, body?: object];

const EMAIL = { email: 'a@example.org', password: 'correct horse' };
const PHONE = { phone: '+15555550100', password: 'correct horse' };

const AUTH: Row[] = [
  ['POST /auth/v1/signup', (c) => c.auth.signUp(EMAIL), { ...EMAIL, data: {}, gotrue_meta_security: {} }],
  ['POST /auth/v1/signup', (c) => c.auth.signUp(PHONE), { ...PHONE, data: {}, gotrue_meta_security: {} }],
  ['POST /auth/v1/token?grant_type=password', (c) => c.auth.signInWithPassword(EMAIL), EMAIL],
  ['POST /auth/v1/token?grant_type=password', (c) => c.auth.signInWithPassword(PHONE), PHONE],
  [
    'POST /auth/v1/token?grant_type=refresh_token',
    (c) => c.auth.refreshSession({ refresh_token: 'other' }),
    { refresh_token: 'other' },
  ],
  [
    'POST /auth/v1/token?grant_type=id_token',
    (c) => c.auth.signInWithIdToken({ provider: 'google', token: 't' }),
    { provider: 'google', id_token: 't' },
  ],
  ['POST /auth/v1/otp', (c) => c.auth.signInWithOtp({ email: 'a@example.org' }), { email: 'a@example.org' }],
  [
    'POST /auth/v1/verify',
    (c) => c.auth.verifyOtp({ email: 'a@example.org', token: '123456', type: 'email' }),
    { token: '123456', type: 'email' },
  ],
  ['POST /auth/v1/sso', (c) => c.auth.signInWithSSO({ domain: 'example.org' }), { domain: 'example.org' }],
  ['POST /auth/v1/recover', (c) => c.auth.resetPasswordForEmail('a@example.org'), { email: 'a@example.org' }],
  [
    'POST /auth/v1/resend',
    (c) => c.auth.resend({ type: 'signup', email: 'a@example.org' }),
    { type: 'signup', email: 'a@example.org' },
  ],
  ['GET /auth/v1/reauthenticate', (c) => c.auth.reauthenticate()],
  ['GET /auth/v1/user', (c) => c.auth.getUser()],
  ['PUT /auth/v1/user', (c) => c.auth.updateUser({ data: { a: 1 } }), { data: { a: 1 } }],
  ['POST /auth/v1/logout?scope=global', (c) => c.auth.signOut({ scope: 'global' })],
  ['POST /auth/v1/logout?scope=local', (c) => c.auth.signOut({ scope: 'local' })],
  ['POST /auth/v1/logout?scope=others', (c) => c.auth.signOut({ scope: 'others' })],
  [
    'GET /auth/v1/user/identities/authorize?provider=google&skip_http_redirect=true',
    (c) => c.auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } }),
  ],
  [`DELETE /auth/v1/user/identities/${ID}`, (c) => c.auth.unlinkIdentity(identity)],
  [
    'POST /auth/v1/factors',
    (c) => c.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }),
    { factor_type: 'totp', friendly_name: 'phone' },
  ],
  [`POST /auth/v1/factors/${ID}/challenge`, (c) => c.auth.mfa.challenge({ factorId: ID })],
  [
    `POST /auth/v1/factors/${ID}/verify`,
    (c) => c.auth.mfa.verify({ factorId: ID, challengeId: ID, code: '123456' }),
    { challenge_id: ID, code: '123456' },
  ],
  [`DELETE /auth/v1/factors/${ID}`, (c) => c.auth.mfa.unenroll({ factorId: ID })],
];

const ADMIN: Row[] = [
  ['GET /auth/v1/admin/users?page=&per_page=', (c) => c.auth.admin.listUsers()],
  ['POST /auth/v1/admin/users', (c) => c.auth.admin.createUser(EMAIL), EMAIL],
  [`GET /auth/v1/admin/users/${ID}`, (c) => c.auth.admin.getUserById(ID)],
  [`PUT /auth/v1/admin/users/${ID}`, (c) => c.auth.admin.updateUserById(ID, { email: 'b@example.org' })],
  [`DELETE /auth/v1/admin/users/${ID}`, (c) => c.auth.admin.deleteUser(ID)],
  [
    'POST /auth/v1/admin/generate_link',
    (c) => c.auth.admin.generateLink({ type: 'magiclink', email: 'a@example.org' }),
    { type: 'magiclink', email: 'a@example.org' },
  ],
  [
    'POST /auth/v1/invite',
    (c) => c.auth.admin.inviteUserByEmail('a@example.org'),
    { email: 'a@example.org' },
  ],
];

const DATA: Row[] = [
  ['GET /rest/v1/notes?select=*', (c) => c.from('notes').select()],
  ['POST /rest/v1/notes', (c) => c.from('notes').insert({ a: 1 }), { a: 1 }],
  ['POST /rest/v1/notes', (c) => c.from('notes').upsert({ a: 1 }), { a: 1 }],
  ['PATCH /rest/v1/notes?id=eq.1', (c) => c.from('notes').update({ a: 2 }).eq('id', 1), { a: 2 }],
  ['DELETE /rest/v1/notes?id=eq.1', (c) => c.from('notes').delete().eq('id', 1)],
  ['POST /rest/v1/rpc/add', (c) => c.rpc('add', { a: 1 }), { a: 1 }],
];

const STORAGE: Row[] = [
  ['GET /storage/v1/bucket', (c) => c.storage.listBuckets()],
  ['POST /storage/v1/bucket', (c) => c.storage.createBucket('b'), { id: 'b', name: 'b', public: false }],
  [
    'PUT /storage/v1/bucket/b',
    (c) => c.storage.updateBucket('b', { public: true }),
    { id: 'b', public: true },
  ],
  ['POST /storage/v1/bucket/b/empty', (c) => c.storage.emptyBucket('b')],
  ['DELETE /storage/v1/bucket/b', (c) => c.storage.deleteBucket('b')],
  ['POST /storage/v1/object/b/f.txt', (c) => c.storage.from('b').upload('f.txt', 'text')],
  ['GET /storage/v1/object/b/f.txt', (c) => c.storage.from('b').download('f.txt')],
  [
    'POST /storage/v1/object/move',
    (c) => c.storage.from('b').move('f', 'g'),
    { bucketId: 'b', sourceKey: 'f', destinationKey: 'g' },
  ],
  [
    'POST /storage/v1/object/copy',
    (c) => c.storage.from('b').copy('f', 'g'),
    { bucketId: 'b', sourceKey: 'f', destinationKey: 'g' },
  ],
  [
    'POST /storage/v1/object/sign/b/f',
    (c) => c.storage.from('b').createSignedUrl('f', 60),
    { expiresIn: 60 },
  ],
  [
    'POST /storage/v1/object/list/b',
    (c) => c.storage.from('b').list(),
    { limit: 100, offset: 0, sortBy: { column: 'name', order: 'asc' }, prefix: '' },
  ],
  ['DELETE /storage/v1/object/b', (c) => c.storage.from('b').remove(['f']), { prefixes: ['f'] }],
];

const FUNCTIONS: Row[] = [['POST /functions/v1/hello', (c) => c.functions.invoke('hello')]];

describe.each([
  ['authentication', AUTH],
  ['database', DATA],
  ['storage', STORAGE],
  ['functions', FUNCTIONS],
])('calls of the %s service', (_service, rows) => {
  it.each(rows)('%s', async (line, call, body) => {
    await call(client);
    expect(server.calls.map((made) => made.line)).toContain(line);
    const made = server.calls.find((one) => one.line === line);
    if (body) expect(made?.body).toMatchObject(body);
    expect(made?.headers.apikey).toBe('anon-key');
    expect(made?.headers.authorization).toMatch(/^Bearer \S+/);
  });
});

describe('calls of administrators', () => {
  it.each(ADMIN)('%s', async (line, call, body) => {
    await call(newClient('service-key'));
    const made = server.calls.find((one) => one.line === line);
    expect(made, server.calls.map((one) => one.line).join()).toBeDefined();
    if (body) expect(made?.body).toMatchObject(body);
    expect(made?.headers).toMatchObject({ apikey: 'service-key', authorization: 'Bearer service-key' });
  });
});

describe('addresses that a browser opens', () => {
  it('GET /authorize', async () => {
    const { data } = await client.auth.signInWithOAuth({
      provider: 'google',
      options: { skipBrowserRedirect: true },
    });
    expect(data.url).toMatch(new RegExp(`^${server.url}/auth/v1/authorize\\?provider=google`));
  });

  it('GET /.well-known/jwks.json', async () => {
    const token = `${encode({ alg: 'ES256', kid: 'k', typ: 'JWT' })}.${encode({ sub: ID, exp: 4_000_000_000 })}.c2ln`;
    await client.auth.getClaims(token);
    expect(server.calls.map(({ line }) => line)).toContain('GET /auth/v1/.well-known/jwks.json');
  });
});

describe('what the client refuses before it calls', () => {
  const message = 'You must provide either an email or phone number and a password';
  it.each([
    ['sign-up', (c: SupabaseClient) => c.auth.signUp({ password: 'x' } as never), message],
    ['sign-in', (c: SupabaseClient) => c.auth.signInWithPassword({ password: 'x' } as never), message],
    [
      'one-time code',
      (c: SupabaseClient) => c.auth.signInWithOtp({} as never),
      'You must provide either an email or phone number.',
    ],
  ])('%s without an address', async (_name, call, expected) => {
    const { error } = await call(client);
    expect(error?.message).toBe(expected);
    expect(server.calls).toEqual([]);
  });

  it('an administrator’s call for an id that is no UUID', async () => {
    await expect(newClient('service-key').auth.admin.getUserById('1')).rejects.toThrow('UUID');
    expect(server.calls).toEqual([]);
  });
});
