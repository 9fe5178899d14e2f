import { createHmac } from 'node:crypto';
import { createTestKeys, TEST_JWT_SECRET } from '@greenroom/testing';
import { describe, expect, it } from 'vitest';
import { errorResponse } from '../error-response.ts';
import { bearerTokenOf, type CallerOptions, createCallerReader } from './caller.ts';
import { keyringVerifier, secretVerifier } from './verify-token.ts';

const NOW = 1_700_000_000;
const verify = secretVerifier(TEST_JWT_SECRET);
const reader = (more: Partial<CallerOptions> = {}) =>
  createCallerReader({ verify, anonRole: 'anon', now: () => NOW * 1000, ...more });
const encode = (text: string) => Buffer.from(text).toString('base64url');
const tokenOf = (payload: string) => {
  const text = `${encode('{"alg":"HS256"}')}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', TEST_JWT_SECRET).update(text).digest('base64url')}`;
};
const token = (claims: object) => tokenOf(JSON.stringify(claims));

it.each([
  ['Bearer abc', 'abc'],
  ['bearer  abc ', 'abc'],
  ['Bearer a b', 'a b'],
  ['Bearer', ''],
  ['Bearer ', ''],
  ['Basic abc', undefined],
  ['abc', undefined],
  ['', undefined],
  [undefined, undefined],
])('header %j has the token %j', (header, expected) => {
  expect(bearerTokenOf(header)).toBe(expected);
});

/** Returns the header WWW-Authenticate for the thrown error. */
function challengeOf(error: unknown): string | undefined {
  const { headers } = errorResponse(error, { isAnonymous: true, verbosity: 'verbose' });
  return new Headers(headers.map(([name, value]) => [name, value])).get('www-authenticate') ?? undefined;
}

describe('the role', () => {
  it('is anon for a request without a token, if configured', async () => {
    expect(await reader()(undefined)).toEqual({ role: 'anon', claims: '{"role":"anon"}', isAnonymous: true });
    const closed = reader({ anonRole: undefined });
    const error = await closed(undefined).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PGRST302', status: 401 });
    expect(challengeOf(error)).toBe('Bearer');
    await expect(closed(token({ sub: 'x' }))).rejects.toMatchObject({ code: 'PGRST302' });
  });

  it.each([
    ['{"role":"author","sub":"x"}', 'author', '{"role":"author","sub":"x"}', false],
    ['{"role":"anon"}', 'anon', '{"role":"anon"}', true],
    ['{"sub":"x"}', 'anon', '{"sub":"x","role":"anon"}', true],
    ['{}', 'anon', '{"role":"anon"}', true],
    ['{"role":7}', '7', '{"role":7,"role":"7"}', false],
    ['{"role":""}', '', '{"role":""}', false],
    ['{"role":"a\\"b"}', 'a"b', '{"role":"a\\"b"}', false],
    [
      ' {"id":9007199254740993,"role":"author"} ',
      'author',
      ' {"id":9007199254740993,"role":"author"} ',
      false,
    ],
  ])('of %s is %s', async (payload, role, claims, isAnonymous) => {
    expect(await reader()(tokenOf(payload))).toMatchObject({ role, claims, isAnonymous });
  });

  it.each([
    ['{"role":"author","sub":"x"}', 'x'],
    ['{"role":"author"}', undefined],
    ['{"role":"author","sub":7}', undefined],
    ['{"role":"author","sub":""}', undefined],
    ['{"role":"anon","sub":"x"}', undefined],
  ])('of %s comes with account %s', async (payload, account) => {
    expect((await reader()(tokenOf(payload))).account).toBe(account);
  });

  it('can come from another claim, which then overrides the claim role', async () => {
    const read = reader({ roleClaimKey: '$.app.roles[0]' });
    const { role, claims } = await read(token({ role: 'service_role', app: { roles: ['author'] } }));
    expect(role).toBe('author');
    expect(claims).toBe('{"role":"service_role","app":{"roles":["author"]},"role":"author"}');
    expect(JSON.parse(claims).role).toBe('author');
  });

  it('is never the login role', async () => {
    await expect(reader()(token({ role: 'none' }))).rejects.toMatchObject({ code: 'PGRST303', status: 401 });
  });
});

describe('a token', () => {
  it.each([
    ['', 'PGRST301', 'Empty JWT'],
    ['a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2'],
    ['a b', 'PGRST301', 'Expected 3 parts in JWT; got 1'],
    [`${'x'.repeat(70_000)}.b.c`, 'PGRST301', 'too long'],
    [`${token({ role: 'anon' })}x`, 'PGRST301', 'No suitable key or wrong key type'],
    [tokenOf('[]'), 'PGRST303', 'Parsing claims failed'],
    [tokenOf('nonsense'), 'PGRST303', 'Parsing claims failed'],
  ])('is rejected: $0', async (wrong, code, message) => {
    const error = await reader()(wrong).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, status: 401, message: expect.stringContaining(message) });
    expect(challengeOf(error)).toMatch(/^Bearer error="invalid_token", error_des/);
  });

  it('is rejected if no secret is configured', async () => {
    const error = await reader({ verify: undefined })(token({})).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PGRST300', status: 500 });
    expect(challengeOf(error)).toBeUndefined();
    expect((await reader({ verify: undefined })(undefined)).role).toBe('anon');
  });

  it.each([
    [{ exp: NOW - 30 }, undefined],
    [{ exp: NOW - 31 }, 'JWT expired'],
    [{ exp: null, nbf: null, iat: null, aud: null }, undefined],
    [{ nbf: NOW + 30 }, undefined],
    [{ nbf: NOW + 31 }, 'JWT not yet valid'],
    [{ iat: NOW + 30 }, undefined],
    [{ iat: NOW + 31 }, 'JWT issued at future'],
    [{ exp: 'later' }, "The JWT 'exp' claim must be a number"],
    [{ nbf: true }, "The JWT 'nbf' claim must be a number"],
    [{ iat: {} }, "The JWT 'iat' claim must be a number"],
    [{ aud: 7 }, "The JWT 'aud' claim must be a string or an array of strings"],
    [{ aud: ['here', 7] }, "The JWT 'aud' claim must be a string or an array of strings"],
    [{ aud: 'anywhere' }, undefined],
  ])('with %j has the result: %s', async (claims, message) => {
    const reading = reader()(token({ role: 'author', ...claims }));
    if (message === undefined) expect((await reading).role).toBe('author');
    else await expect(reading).rejects.toMatchObject({ code: 'PGRST303', status: 401, message });
  });

  it.each([
    [undefined, true],
    [null, true],
    [[], true],
    ['here', true],
    [['there', 'here'], true],
    ['there', false],
    ['', false],
    [['there'], false],
  ])('for the audience %j passes: %s', async (aud, passes) => {
    const reading = reader({ audience: 'here' })(token({ role: 'author', aud }));
    if (passes) expect((await reading).role).toBe('author');
    else await expect(reading).rejects.toMatchObject({ code: 'PGRST303', message: 'JWT not in audience' });
  });
});

describe('a token that is used again', () => {
  it('is verified once, but its times are checked on every use', async () => {
    let verified = 0;
    let now = NOW;
    const counting = async (sent: string) => {
      verified += 1;
      await verify(sent);
    };
    const read = reader({ verify: counting, now: () => now * 1000, maxCachedTokens: 2 });
    const sent = token({ role: 'author', exp: NOW + 60 });
    await read(sent);
    expect(await read(sent)).toMatchObject({ role: 'author' });
    expect(verified).toBe(1);
    now = NOW + 91;
    await expect(read(sent)).rejects.toMatchObject({ message: 'JWT expired' });
    now = NOW;
    await read(token({ role: 'a' }));
    await read(token({ role: 'b' }));
    await read(sent);
    expect(verified).toBe(4);
  });

  it('and was rejected is verified on every use', async () => {
    const read = reader();
    const wrong = `${token({ role: 'anon' })}x`;
    await expect(read(wrong)).rejects.toMatchObject({ code: 'PGRST301' });
    await expect(read(wrong)).rejects.toMatchObject({ code: 'PGRST301' });
  });
});

it("reads callers from tokens of the instance's own keys, with leeway", async () => {
  const keys = await createTestKeys();
  const read = reader({ verify: keyringVerifier(keys) });
  const sent = await keys.sign({ role: 'author', sub: 'x', exp: NOW - 20 });
  expect(await read(sent)).toMatchObject({ role: 'author', isAnonymous: false });
  const idToken = await keys.signIdToken?.({ sub: 'x', exp: NOW + 60 });
  await expect(read(idToken)).rejects.toMatchObject({ code: 'PGRST301' });
});
