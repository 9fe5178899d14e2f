import { randomUUID } from 'node:crypto';
import { TEST_JWT_SECRET } from '@greenroom/testing';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { type Person, signUpPerson } from '../testing/people.ts';
import { play, type Scenario } from '../testing/scenario.ts';

let server: AuthServer;
let ann: Person;
const tokens: Record<string, string> = {};
const SECRET = new TextEncoder().encode(TEST_JWT_SECRET);

const unsigned = (header: object, claims: object, signature = '') =>
  [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(signature)
    .join('.');

beforeAll(async () => {
  server = await startAuthServer();
  ann = await signUpPerson(server);
  const claims = { sub: ann.id, aud: 'authenticated', role: 'authenticated', session_id: ann.sessionId };
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const hs256 = (body: object, secret = SECRET) =>
    new SignJWT({ ...body }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret);
  const [head, body, signature] = ann.accessToken.split('.');
  Object.assign(tokens, {
    ann: ann.accessToken,
    shared: await hs256({ ...claims, exp }),
    sessionless: await server.keys.sign({ sub: ann.id, aud: 'authenticated', role: 'authenticated', exp }),
    nilSession: await server.keys.sign({
      ...claims,
      session_id: '00000000-0000-0000-0000-000000000000',
      exp,
    }),
    anon: await hs256({ role: 'anon', iss: 'greenroom', exp }),
    service: await hs256({ role: 'service_role', iss: 'greenroom', exp }),
    emptySub: await server.keys.sign({ ...claims, sub: '', exp }),
    strangeSub: await server.keys.sign({ ...claims, sub: 'ann', exp }),
    numberSub: await server.keys.sign({ ...claims, sub: 7, exp }),
    unknownUser: await server.keys.sign({ ...claims, sub: randomUUID(), exp }),
    unknownSession: await server.keys.sign({ ...claims, session_id: randomUUID(), exp }),
    foreignSession: await server.keys.sign({
      ...claims,
      session_id: (await signUpPerson(server)).sessionId,
      exp,
    }),
    strangeSession: await server.keys.sign({ ...claims, session_id: 'today', exp }),
    noAudience: await server.keys.sign({ sub: ann.id, role: 'authenticated', exp }),
    expired: await server.keys.sign({ ...claims, exp: exp - 7200 }),
    otherSecret: await hs256({ ...claims, exp }, new TextEncoder().encode('x'.repeat(40))),
    none: unsigned({ alg: 'none', typ: 'JWT' }, { ...claims, exp }),
    noneSigned: unsigned({ alg: 'none' }, { ...claims, exp }, signature),
    forged: `${head}.${Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')}.${signature}`,
    flipped: `${head}.${body}.${signature?.startsWith('A') ? 'B' : 'A'}${signature?.slice(1)}`,
    twoParts: `${head}.${body}`,
    fourParts: `${ann.accessToken}.x`,
    text: 'secret',
  });
});
afterAll(() => server.close());

describe('GET /user', () => {
  it.each(['ann', 'shared', 'sessionless', 'nilSession'])('returns the user of the token %s', async (as) => {
    const { json } = await play(server, { name: as, path: '/user', as, status: 200 }, tokens);
    expect(json).toMatchObject({ id: ann.id, email: ann.email, identities: [{ provider: 'email' }] });
    expect(json).not.toHaveProperty('factors');
  });

  const refuse = (as: string, status: number, code: string, message = ''): Scenario => ({
    name: `${as}: ${status} ${code}`,
    path: '/user',
    as,
    status,
    contains: [`"error_code":"${code}"`, message],
    lacks: [`"email"`],
  });

  it.each([
    refuse('missing', 401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
    refuse('anon', 403, 'bad_jwt', 'invalid claim: missing sub claim'),
    refuse('service', 403, 'bad_jwt', 'invalid claim: missing sub claim'),
    refuse('emptySub', 403, 'bad_jwt', 'invalid claim: missing sub claim'),
    refuse('strangeSub', 400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'),
    refuse('numberSub', 400, 'bad_jwt'),
    refuse('unknownUser', 403, 'user_not_found', 'User from sub claim in JWT does not exist'),
    refuse('unknownSession', 403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
    refuse('foreignSession', 403, 'session_not_found'),
    refuse('strangeSession', 403, 'bad_jwt', 'session_id claim must be a UUID'),
    refuse('noAudience', 400, 'validation_failed', 'Token audience doesn'),
    refuse('expired', 403, 'bad_jwt', 'token is expired'),
    refuse('otherSecret', 403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, '),
    refuse('none', 403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, '),
    refuse('noneSigned', 403, 'bad_jwt'),
    refuse('forged', 403, 'bad_jwt'),
    refuse('flipped', 403, 'bad_jwt'),
    refuse('twoParts', 403, 'bad_jwt', 'three base64url parts'),
    refuse('fourParts', 403, 'bad_jwt'),
    refuse('text', 403, 'bad_jwt'),
  ])('rejects the token $name', async (scenario) => {
    await play(server, scenario, tokens);
  });

  it.each([
    [
      'a response of the newer shape',
      { 'x-supabase-api-version': '2024-01-01' },
      '{"code":"no_authorization","message":',
    ],
    ['a response of the older shape', {}, '{"code":401,"error_code":"no_authorization","msg":'],
    ['a request with another scheme', { authorization: 'Basic YTpi' }, 'no_authorization'],
    ['a request with a scheme only', { authorization: 'Bearer' }, 'no_authorization'],
  ])('reports the missing token in %s', async (name, headers, text) => {
    await play(server, { name, path: '/user', headers, status: 401, contains: [text] });
  });

  it("rejects an audience other than the token's", async () => {
    const headers = { 'x-jwt-aud': 'elsewhere' };
    const contains = ['validation_failed', "Token audience doesn't match request audience"];
    await play(server, { name: '', path: '/user', as: 'ann', headers, status: 400, contains }, tokens);
  });

  it('rejects a banned user', async () => {
    const { id, accessToken } = await signUpPerson(server);
    await server.database.admin.query({
      text: "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      values: [id],
    });
    const contains = ['"error_code":"user_banned"'];
    await play(server, { name: '', path: '/user', bearer: accessToken, status: 403, contains });
  });

  it('accepts the token of a session that can no longer be refreshed', async () => {
    const { accessToken, sessionId } = await signUpPerson(server);
    await server.database.admin.query({
      text: "update auth.sessions set not_after = now() - interval '1 day' where id = $1",
      values: [sessionId],
    });
    await play(server, { name: '', path: '/user', bearer: accessToken, status: 200 });
  });

  it('returns factors without their secrets', async () => {
    const { id, accessToken } = await signUpPerson(server);
    await server.database.admin.query({
      text: `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
        values (gen_random_uuid(), $1, 'phone', 'totp', 'verified', 'JBSWY3DPEHPK3PXP', now(), now())`,
      values: [id],
    });
    const lacks = ['JBSWY3DPEHPK3PXP', 'secret', 'user_id":null'];
    const { json } = await play(server, { name: '', path: '/user', bearer: accessToken, status: 200, lacks });
    expect(json.factors).toEqual([
      expect.objectContaining({ factor_type: 'totp', status: 'verified', friendly_name: 'phone', phone: '' }),
    ]);
  });
});
