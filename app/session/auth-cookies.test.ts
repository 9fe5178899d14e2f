import { describe, expect, it } from 'vitest';
import { defaultCookiePrefix, isVerifierName, sessionCookieNames } from './auth-cookies.ts';

describe('defaultCookiePrefix', () => {
  it.each([
    ['http://127.0.0.1:54321', 'sb-127-auth-token'],
    ['http://localhost:54321', 'sb-localhost-auth-token'],
    ['https://abcdefgh.supabase.co', 'sb-abcdefgh-auth-token'],
    ['http://[::1]:54321', 'sb-1-auth-token'],
  ])('returns for %s: %s', (apiUrl, prefix) => {
    expect(defaultCookiePrefix(apiUrl)).toBe(prefix);
  });
});

describe('sessionCookieNames', () => {
  it('finds the session and its chunks only', () => {
    const names = [
      'sb',
      'sb.0',
      'sb.12',
      'sb.x',
      'sb.',
      'sb-code-verifier',
      'sb-redirect-path',
      'other',
      'xsb',
    ];
    expect(sessionCookieNames(names, 'sb')).toEqual(['sb', 'sb.0', 'sb.12']);
  });
});

it.each([
  ['sb-code-verifier', true],
  ['sb-flows-code-verifier', true],
  ['sb-flow-abcdefgh-code-verifier', true],
  ['sb-code-verifier.0', true],
  ['sb', false],
  ['sb.0', false],
  ['sb-redirect-path', false],
  ['other-code-verifier', false],
])('isVerifierName(%s) returns %s', (name, isVerifier) => {
  expect(isVerifierName(name, 'sb')).toBe(isVerifier);
});
