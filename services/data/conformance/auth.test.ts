import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from '../testing/data-server.ts';

const SQL = `
  create table diaries (id int primary key, text text);
  insert into diaries values (1, 'secret');
  revoke all on diaries from anon;
  create table ledger (id int primary key);
  revoke all on ledger from anon, authenticated;
  create table leaflets (id int primary key);
  create function who() returns text stable language sql as 'select current_user::text';
  create function claims() returns json stable language sql
    as 'select current_setting(''request.jwt.claims'')::json';
  create function whisper(name text) returns text stable language sql as 'select ''psst '' || name';
  revoke execute on function whisper from public, anon;
  grant execute on function whisper to authenticated;
`;

const SECRET = Buffer.from('a secret of thirty-two bytes, or more');
const now = () => Math.floor(Date.now() / 1000);
const sign = (
  claims: Record<string, unknown>,
  key: KeyObject | Uint8Array = SECRET,
  header: JWTHeaderParameters = { alg: 'HS256' },
) => new SignJWT(claims).setProtectedHeader(header).sign(key);
const bearer = (token: string, scheme = 'Bearer'): WireRequest => ({
  headers: { authorization: `${scheme} ${token}` },
});

describe('authorization', () => {
  let server: DataServer;
  beforeAll(async () => {
    server = await DataServer.open(SQL, { PGRST_JWT_SECRET: SECRET.toString() });
  });
  afterAll(() => server.close());
  const member = { claims: { role: 'authenticated' } };

  it.each<[path: string, request: WireRequest, status: number]>([
    ['/diaries', {}, 401],
    ['/diaries', member, 200],
    ['/ledger', {}, 401],
    ['/ledger', member, 403],
    ['/leaflets', {}, 200],
    ['/rpc/whisper?name=Jo', {}, 401],
    ['/rpc/whisper?name=Jo', member, 200],
    // A caller without a role, or with an unknown one, may retry with another token.
    ['/diaries', { claims: {} }, 401],
    ['/diaries', { claims: { sub: 'jo' } }, 401],
    ['/diaries', { claims: { role: 'anon' } }, 401],
    ['/diaries', { claims: { role: 'no such role' } }, 401],
    // The role exists, but the authenticator may not switch to it.
    ['/diaries', { claims: { role: 'postgres' } }, 403],
    ['/diaries', { claims: { role: 'authenticated', extra: { a: [1] }, nbf: 1, iat: 1 } }, 200],
  ])('responds to %s %j with status %i', async (path, request, status) => {
    const response = await server.request(path, request);
    expect(response.status).toBe(status);
    expect(response.header('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });

  it('returns the permission error of PostgreSQL', async () => {
    expect((await server.request('/diaries')).json).toEqual({
      code: '42501',
      details: null,
      hint: null,
      message: 'permission denied for table diaries',
    });
  });

  it('serves the next requests after a permission error', async () => {
    await server.request('/diaries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { id: 1 },
    });
    expect((await server.request('/diaries', member)).status).toBe(200);
    expect((await server.request('/rpc/who')).json).toBe('anon');
  });

  it('exposes all claims to SQL, with the anonymous role as default', async () => {
    const claims = {
      role: 'authenticated',
      'https://example.org/x': true,
      iss: 'jo',
      jti: 'foo',
      nested: { a: [1, null] },
    };
    expect((await server.request('/rpc/claims', { claims })).json).toMatchObject(claims);
    expect((await server.request('/rpc/claims', { claims: { sub: 'jo' } })).json).toMatchObject({
      sub: 'jo',
      role: 'anon',
    });
    expect((await server.request('/rpc/claims')).json).toEqual({ role: 'anon' });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('accepts tokens with the scheme %s', async (scheme) => {
    const token = await sign({ role: 'authenticated' });
    expect((await server.request('/rpc/who', bearer(token, scheme))).json).toBe('authenticated');
  });

  it.each(['Basic', 'Token'])('ignores credentials with the scheme %s', async (scheme) => {
    const token = await sign({ role: 'authenticated' });
    expect((await server.request('/rpc/who', bearer(token, scheme))).json).toBe('anon');
  });

  it.each<[name: string, token: () => string | Promise<string>]>([
    ['is empty', () => ''],
    ['has two parts', () => 'eyJhbGciOiJIUzI1NiJ9.e30'],
    ['has four parts', () => 'a.b.c.d'],
    ['has three parts that are not JSON', () => 'quifquir.fonvoien.iuqvnvho'],
    ['is unsigned', () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ['is signed with another key', () => sign({ role: 'authenticated' }, Buffer.alloc(32, 'x'))],
    [
      'has modified claims',
      async () => {
        const [head, , signature] = (await sign({ role: 'anon' })).split('.');
        return [head, Buffer.from('{"role":"authenticated"}').toString('base64url'), signature].join('.');
      },
    ],
    ['names an unknown key', () => sign({ role: 'authenticated' }, SECRET, { alg: 'HS256', kid: 'other' })],
  ])('rejects a token that %s', async (_name, token) => {
    const response = await server.request('/leaflets', bearer(await token()));
    expect([response.status, response.json]).toMatchObject([401, { code: 'PGRST301', hint: null }]);
    expect(response.header('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"]+"$/,
    );
    expect(response.header('proxy-status')).toBe('PostgREST; error=PGRST301');
  });

  it.each<[name: string, claims: () => Record<string, unknown>, message: RegExp]>([
    ['has expired', () => ({ exp: now() - 35 }), /^JWT expired$/],
    ['is not valid yet', () => ({ nbf: now() + 65 }), /^JWT not yet valid$/],
    ['is issued in the future', () => ({ iat: now() + 65 }), /^JWT issued at future$/],
    ['has a text as exp', () => ({ exp: 'soon' }), /exp/],
    ['has a text as nbf', () => ({ nbf: 'soon' }), /nbf/],
    ['has a text as iat', () => ({ iat: 'soon' }), /iat/],
    ['has an object as aud', () => ({ aud: { a: 1 } }), /aud/],
    ['has an object within aud', () => ({ aud: ['a', {}] }), /aud/],
  ])('rejects the claims of a token that %s', async (_name, claims, message) => {
    const token = await sign({ role: 'authenticated', ...claims() });
    const response = await server.request('/leaflets', bearer(token));
    expect([response.status, response.json]).toMatchObject([
      401,
      { code: 'PGRST303', details: null, hint: null },
    ]);
    expect((response.json as { message: string }).message).toMatch(message);
    expect(response.header('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"]+"$/,
    );
  });

  it.each<[claims: () => Record<string, unknown>]>([
    [() => ({ exp: now() - 10 })],
    [() => ({ nbf: now() + 10 })],
    [() => ({ iat: now() + 10 })],
    [() => ({ exp: null, nbf: null, iat: null })],
    [() => ({ aud: '' })],
    [() => ({ aud: 'anybody' })],
    [() => ({ aud: ['anybody'] })],
    [() => ({ aud: [] })],
    [() => ({ aud: null })],
  ])('tolerates clock skew and accepts any audience: %s', async (claims) => {
    const token = await sign({ role: 'authenticated', ...claims() });
    expect((await server.request('/diaries', bearer(token))).status).toBe(200);
  });

  it('checks the expiry of a cached token', async () => {
    const token = await sign({ role: 'authenticated', exp: now() - 10 });
    expect((await server.request('/diaries', bearer(token))).status).toBe(200);
    expect((await server.request('/diaries', bearer(token))).status).toBe(200);
    const late = await sign({ role: 'authenticated', exp: now() - 40 });
    for (let i = 0; i < 2; i += 1) expect((await server.request('/diaries', bearer(late))).status).toBe(401);
  });
});

describe('a configured audience', () => {
  let server: DataServer;
  beforeAll(async () => {
    server = await DataServer.open(SQL, { PGRST_JWT_AUD: 'us' });
  });
  afterAll(() => server.close());

  it.each<[aud: unknown, status: number]>([
    ['us', 200],
    [['us'], 200],
    [['them', 'us', 'others'], 200],
    [[], 200],
    [null, 200],
    [undefined, 200],
    ['them', 401],
    ['', 401],
    [['them'], 401],
    [['them', 'others'], 401],
    [7, 401],
    [[7], 401],
  ])('responds to the aud claim %j with status %i', async (aud, status) => {
    const response = await server.request('/diaries', { claims: { role: 'authenticated', aud } });
    expect(response.status).toBe(status);
    if (status === 401) expect(response.json).toMatchObject({ code: 'PGRST303' });
  });

  it('does not affect requests without a token', async () => {
    expect((await server.request('/leaflets')).status).toBe(200);
  });
});

/** On its database those are started that have other settings. */
let home: DataServer;
beforeAll(async () => {
  home = await DataServer.open(SQL);
});
afterAll(() => home.close());

describe('PGRST_JWT_SECRET as JWK or JWK set', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = (key: KeyObject, more = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
  const secret = { kty: 'oct', k: SECRET.toString('base64url') };

  it.each<[name: string, setting: unknown, sign: () => Promise<string>, status: number]>([
    [
      'accepts a token signed with the key',
      jwk(rsa.publicKey),
      () => sign({}, rsa.privateKey, { alg: 'RS256' }),
      200,
    ],
    [
      'rejects a token signed with a key of another type',
      jwk(rsa.publicKey),
      () => sign({}, ec.privateKey, { alg: 'ES256' }),
      401,
    ],
    [
      'rejects a token whose algorithm differs from alg of the key',
      jwk(rsa.publicKey, { alg: 'RS512' }),
      () => sign({}, rsa.privateKey, { alg: 'RS256' }),
      401,
    ],
    ['accepts an HMAC token for a key of type oct', secret, () => sign({}), 200],
    [
      'accepts a token that any key of the set verifies',
      { keys: [jwk(rsa.publicKey), secret] },
      () => sign({}),
      200,
    ],
    [
      'verifies with the key that kid names',
      { keys: [jwk(rsa.publicKey, { kid: 'r' }), jwk(ec.publicKey, { kid: 'e' })] },
      () => sign({}, ec.privateKey, { alg: 'ES256', kid: 'e' }),
      200,
    ],
    [
      'rejects a token whose kid names another key',
      { keys: [jwk(rsa.publicKey, { kid: 'r' }), jwk(ec.publicKey, { kid: 'e' })] },
      () => sign({}, ec.privateKey, { alg: 'ES256', kid: 'r' }),
      401,
    ],
    [
      'accepts a token without kid for a set of keys with kid',
      { keys: [jwk(rsa.publicKey, { kid: 'r' }), jwk(ec.publicKey, { kid: 'e' })] },
      () => sign({}, ec.privateKey, { alg: 'ES256' }),
      200,
    ],
    [
      'rejects a token with kid for a key without kid',
      jwk(ec.publicKey),
      () => sign({}, ec.privateKey, { alg: 'ES256', kid: 'e' }),
      401,
    ],
  ])('%s', async (_name, setting, token, status) => {
    const server = await home.startAnother({ PGRST_JWT_SECRET: JSON.stringify(setting) });
    try {
      expect((await server.request('/leaflets', bearer(await token()))).status).toBe(status);
    } finally {
      await server.close();
    }
  });
});

describe('a server without JWT keys', () => {
  let server: DataServer;
  beforeAll(async () => {
    server = await home.startAnother({ PGRST_DB_ANON_ROLE: 'anon' }, { isStandalone: true });
  });
  afterAll(() => server.close());

  it.each<[name: string, token: () => string | Promise<string>]>([
    ['a well-formed token', () => sign({ role: 'authenticated' })],
    ['a token of another server', () => server.token({ role: 'authenticated' })],
    ['a malformed token', () => 'quifquir.fonvoien.iuqvnvho'],
  ])('responds with 500 to %s', async (_name, token) => {
    const response = await server.request('/leaflets', bearer(await token()));
    expect([response.status, response.json]).toEqual([
      500,
      {
        code: 'PGRST300',
        details: null,
        hint: null,
        message: 'Server lacks JWT secret',
      },
    ]);
    expect(response.header('proxy-status')).toBe('PostgREST; error=PGRST300');
    expect(response.header('www-authenticate')).toBeNull();
  });

  it.each<[name: string, request: WireRequest]>([
    ['a request without credentials', {}],
    ['credentials of another scheme', bearer('anybody', 'Basic')],
  ])('serves %s as the anonymous role', async (_name, request) => {
    const response = await server.request('/rpc/who', request);
    expect([response.status, response.json]).toEqual([200, 'anon']);
  });
});

describe('a server without an anonymous role', () => {
  let server: DataServer;
  beforeAll(async () => {
    server = await home.startAnother({ PGRST_JWT_SECRET: SECRET.toString() }, { isStandalone: true });
  });
  afterAll(() => server.close());

  it.each<[name: string, path: string, request: () => WireRequest | Promise<WireRequest>]>([
    ['a read without a token', '/leaflets', () => ({})],
    ['a write without a token', '/leaflets', () => ({ method: 'POST', body: { id: 1 } })],
    ['a function call without a token', '/rpc/who', () => ({ method: 'POST', body: {} })],
    ['a request of the root without a token', '/', () => ({})],
    ['an unknown path without a token', '/nothing', () => ({})],
    ['credentials of another scheme', '/leaflets', () => bearer('anybody', 'Basic')],
    ['a token without a role', '/leaflets', async () => bearer(await sign({ sub: 'jo' }))],
  ])('rejects %s', async (_name, path, request) => {
    const response = await server.request(path, await request());
    expect([response.status, response.json]).toEqual([
      401,
      { code: 'PGRST302', details: null, hint: null, message: 'Anonymous access is disabled' },
    ]);
    expect(response.header('proxy-status')).toBe('PostgREST; error=PGRST302');
    expect(response.header('www-authenticate')).toBe('Bearer');
  });

  it('accepts a token with a role', async () => {
    const response = await server.request('/rpc/who', bearer(await sign({ role: 'authenticated' })));
    expect([response.status, response.json]).toEqual([200, 'authenticated']);
  });
});

describe('the role claim path', () => {
  it.each<[path: string, claims: Record<string, unknown>, role: string]>([
    ['$.app.roles[1]', { app: { roles: ['other', 'authenticated'] } }, 'authenticated'],
    [
      "$['https://example.org/role'].key",
      { 'https://example.org/role': { key: 'authenticated' } },
      'authenticated',
    ],
    ["$.app.roles[?(@ == 'authenticated')]", { app: { roles: ['other', 'authenticated'] } }, 'authenticated'],
    [
      "$.app.roles[?search(@, '^auth')]",
      { app: { roles: ['other', 'authenticated', 'authors'] } },
      'authenticated',
    ],
    ['.app.role', { app: { role: 'authenticated' } }, 'authenticated'],
    ['$.app.roles[1]', { role: 'authenticated' }, 'anon'],
  ])('%s in the claims %j selects the role %s', async (path, claims, role) => {
    const server = await home.startAnother({ PGRST_JWT_ROLE_CLAIM_KEY: path });
    try {
      expect((await server.request('/rpc/who', { claims })).json).toBe(role);
      expect((await server.request('/rpc/claims', { claims })).json).toMatchObject({ role });
    } finally {
      await server.close();
    }
  });
});
