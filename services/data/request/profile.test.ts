import { describe, expect, it } from 'vitest';
import { chooseProfile, profileHeaders } from './profile.ts';

const ONE = ['public'] as const;
const TWO = ['v1', 'v2', 'schéma'] as const;
const headers = (acceptProfile?: string, contentProfile?: string) => ({ acceptProfile, contentProfile });

describe('chooseProfile', () => {
  it.each([
    ['GET', headers(), ONE, { schema: 'public', isNegotiated: false }],
    ['GET', headers(), TWO, { schema: 'v1', isNegotiated: true }],
    ['GET', headers('public'), ONE, { schema: 'public', isNegotiated: true }],
    ['GET', headers('v2', 'v1'), TWO, { schema: 'v2', isNegotiated: true }],
    ['HEAD', headers('v2'), TWO, { schema: 'v2', isNegotiated: true }],
    ['OPTIONS', headers('v2'), TWO, { schema: 'v2', isNegotiated: true }],
    ['POST', headers('v2', 'v1'), TWO, { schema: 'v1', isNegotiated: true }],
    ['PATCH', headers('v2'), TWO, { schema: 'v1', isNegotiated: true }],
    ['PUT', headers(undefined, 'v2'), TWO, { schema: 'v2', isNegotiated: true }],
    ['DELETE', headers(undefined, 'v2'), TWO, { schema: 'v2', isNegotiated: true }],
    ['GET', headers('schÃ©ma'), TWO, { schema: 'schéma', isNegotiated: true }],
  ] as const)('chooses a schema for %s with %j of %j', (method, sent, schemas, profile) => {
    expect(chooseProfile(method, sent, schemas)).toEqual(profile);
  });

  it.each([
    ['GET', headers('v3')],
    ['GET', headers('')],
    ['GET', headers('V1')],
    ['POST', headers('v1', 'v3')],
  ])('rejects %s with %j', (method, sent) => {
    expect(() => chooseProfile(method, sent, TWO)).toThrow(
      expect.objectContaining({
        code: 'PGRST106',
        status: 406,
        extra: { hint: 'Only the following schemas are exposed: v1, v2, schéma' },
      }),
    );
  });
});

it('names the schema in the response if the client could choose it', () => {
  expect(profileHeaders({ schema: 'schéma', isNegotiated: true })).toEqual([['content-profile', 'schÃ©ma']]);
  expect(profileHeaders({ schema: 'v1', isNegotiated: false })).toEqual([]);
});
