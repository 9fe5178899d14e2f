/** Which requests reach functions that check tokens. */
import { createClient, FunctionsHttpError } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

let server: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({
    files: {
      'closed/index.ts': `Deno.serve((request) => Response.json({
        method: request.method,
        authorization: request.headers.get('authorization'),
        apikey: request.headers.get('apikey'),
      }));`,
      'open/index.ts': 'Deno.serve(() => new Response("open"));',
    },
    open: ['open'],
  });
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

it.each([
  ['no header', {}, 'UNAUTHORIZED_NO_AUTH_HEADER', 'Missing authorization header'],
  [
    'a JWT as API key only',
    { apikey: 'a.b.c' },
    'UNAUTHORIZED_NO_AUTH_HEADER',
    'Missing authorization header',
  ],
  [
    'an unknown opaque key',
    { apikey: 'sb_publishable_no' },
    'UNAUTHORIZED_NO_AUTH_HEADER',
    'Missing authorization header',
  ],
  ['another scheme', { authorization: 'Basic abc' }, 'UNAUTHORIZED_INVALID_JWT_FORMAT', 'Invalid JWT format'],
  ['no JWT', { authorization: 'Bearer abc' }, 'UNAUTHORIZED_INVALID_JWT_FORMAT', 'Invalid JWT format'],
  [
    'an opaque key that is wrong',
    { authorization: 'Bearer sb_secret_no' },
    'UNAUTHORIZED_INVALID_JWT_FORMAT',
    'Invalid JWT format',
  ],
  [
    'a token of another secret',
    { authorization: `Bearer ${encode({ alg: 'HS256' })}.${encode({ role: 'anon' })}.AAAA` },
    'UNAUTHORIZED_LEGACY_JWT',
    'Invalid JWT',
  ],
  [
    'a token of another key',
    { authorization: `Bearer ${encode({ alg: 'ES256' })}.${encode({ role: 'anon' })}.AAAA` },
    'UNAUTHORIZED_ASYMMETRIC_JWT',
    'Invalid JWT',
  ],
  [
    'no signature',
    { authorization: `Bearer ${encode({ alg: 'none' })}.${encode({ role: 'anon' })}.AAAA` },
    'UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM',
    'Unsupported JWT algorithm none',
  ],
] as [string, Record<string, string>, string, string][])(
  'a request with %s is refused',
  async (_title, headers, code, message) => {
    const response = await server.call('closed', { headers });
    expect([response.status, await response.json()]).toEqual([401, { code, message, msg: message }]);
    expect(response.headers.get('sb-error-code')).toBe(code);
  },
);

it('an expired token is refused', async () => {
  const token = await server.keys.sign({ role: 'authenticated', exp: 1000 });
  const response = await server.call('closed', { headers: { authorization: `Bearer ${token}` } });
  expect([response.status, response.headers.get('sb-error-code')]).toEqual([
    401,
    'UNAUTHORIZED_ASYMMETRIC_JWT',
  ]);
});

it('keys and tokens of the project pass, and reach the function unchanged', async () => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const token = await server.keys.sign({ role: 'authenticated', exp });
  const { anon, publishable, secret } = server.apiKeys;
  for (const bearer of [token, anon, publishable, secret]) {
    const response = await server.call('closed', { headers: { authorization: `Bearer ${bearer}` } });
    expect(await response.json()).toMatchObject({ authorization: `Bearer ${bearer}`, apikey: null });
  }
  const response = await server.call('closed', { headers: { apikey: publishable } });
  expect(await response.json()).toMatchObject({ authorization: null, apikey: publishable });
});

it('OPTIONS and functions without the check need no token', async () => {
  expect((await server.call('closed', { method: 'OPTIONS' })).status).toBe(200);
  expect(await (await server.call('open')).text()).toBe('open');
});

it('the official client invokes functions by POST, with its keys', async () => {
  for (const key of [server.apiKeys.anon, server.apiKeys.publishable]) {
    const client = createClient(server.origin, key);
    const { data, error } = await client.functions.invoke('closed', { body: { x: 1 } });
    expect([error, data]).toEqual([null, expect.objectContaining({ method: 'POST', apikey: key })]);
  }
  const client = createClient(server.origin, server.apiKeys.anon);
  const { error } = await client.functions.invoke('nothing');
  expect(error).toBeInstanceOf(FunctionsHttpError);
  expect(await (error as FunctionsHttpError).context.json()).toMatchObject({ code: 'NOT_FOUND' });
});
