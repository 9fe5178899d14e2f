import { loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { authRequest } from '../testing/request.ts';
import { audienceOf } from './audience.ts';

const config = loadSettings(authSettings, { GOTRUE_JWT_AUD: 'configured' });

const requestWith = (header?: string) =>
  authRequest(header === undefined ? {} : { headers: { 'x-jwt-aud': header } });

describe('audienceOf', () => {
  it.each([
    ['returns the configured audience by default', undefined, undefined, 'configured'],
    ['prefers the header to the token', 'asked', { aud: 'token', role: 'authenticated' }, 'asked'],
    ['returns the audience of the token', undefined, { aud: 'token', role: 'authenticated' }, 'token'],
    [
      'returns the first of several audiences',
      undefined,
      { aud: ['one', 'two'], role: 'authenticated' },
      'one',
    ],
    [
      'ignores the audience of an admin token',
      undefined,
      { aud: 'token', role: 'service_role' },
      'configured',
    ],
    ['ignores an empty audience', '', { aud: '', role: 'authenticated' }, 'configured'],
    ['ignores an audience of the wrong type', undefined, { aud: 1, role: 'authenticated' }, 'configured'],
  ])('%s', (_, header, claims, expected) => {
    expect(audienceOf(requestWith(header), config, claims)).toBe(expected);
  });

  it('rejects an audience that no user can have', () => {
    expect(() => audienceOf(requestWith('x'.repeat(256)), config)).toThrow('255 characters');
  });
});
