import { describe, expect, it } from 'vitest';
import { isImpersonated, toClaims, toSummary } from './claims.ts';

const empty = {
  sub: 'u1',
  email: '',
  phone: '',
  aal: '',
  user_verified: false,
  amr: [],
  session_id: '',
  role: '',
  exp: 0,
  is_anonymous: false,
  app_metadata: {},
  user_metadata: {},
};

describe('toClaims', () => {
  it('keeps the claims that the app reads and drops others', () => {
    const claims = {
      ...empty,
      email: 'ada@example.com',
      aal: 'aal1',
      user_verified: false,
      amr: [{ method: 'password', timestamp: 1700000000 }],
      exp: 1700003600,
      app_metadata: { role: 'admin' },
    };
    expect(toClaims({ ...claims, iss: 'http://127.0.0.1', aud: 'authenticated' })).toEqual(claims);
  });

  it.each([{}, { sub: '' }, { sub: 5 }, { sub: null }])('rejects %j, which names no user', (payload) => {
    expect(toClaims(payload)).toBeUndefined();
  });

  it.each(['a1', '', 5, false])('rejects a token of an OAuth application with client_id %j', (client_id) => {
    expect(toClaims({ ...empty, client_id })).toBeUndefined();
  });

  it('accepts a client_id of null', () => {
    expect(toClaims({ ...empty, client_id: null })).toEqual(empty);
  });

  it.each([
    ['a user_verified of another type', { user_verified: 'true' }],
    ['texts of another type', { email: 5, phone: null, aal: {}, role: [] }],
    ['metadata of another type', { app_metadata: 'admin', user_metadata: ['x'] }],
    ['methods of other types', { amr: ['password', null, { method: 'password' }, { timestamp: 1 }] }],
    ['methods that are not a list', { amr: { method: 'password', timestamp: 1 } }],
    ['an is_anonymous of another type', { is_anonymous: 'yes' }],
  ])('uses defaults for %s', (_name, payload) => {
    expect(toClaims({ sub: 'u1', ...payload })).toEqual(empty);
  });
});

describe('toSummary', () => {
  it('drops tokens and user', () => {
    const session = {
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: 1700003600,
      access_token: 'a',
      refresh_token: 'r',
      user: { id: 'u1' },
    };
    expect(toSummary(session)).toEqual({ token_type: 'bearer', expires_in: 3600, expires_at: 1700003600 });
  });
});

describe('isImpersonated', () => {
  it.each([
    [['password'], false],
    [['totp', 'impersonation'], true],
    [[], false],
  ])('decides about the methods %j: %s', (methods, expected) => {
    expect(isImpersonated({ amr: methods.map((method) => ({ method, timestamp: 0 })) })).toBe(expected);
  });
});
