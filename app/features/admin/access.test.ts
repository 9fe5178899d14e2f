import { describe, expect, it } from 'vitest';
import { checkAccess, requiredAssurance } from '../../session/access.ts';

const none: { status: string }[] = [];
const unverified = [{ status: 'unverified' }];
const verified = [{ status: 'unverified' }, { status: 'verified' }];

describe('requiredAssurance', () => {
  it.each([
    [none, 'aal1'],
    [unverified, 'aal1'],
    [verified, 'aal2'],
  ])('requires for %j: %s', (factors, level) => {
    expect(requiredAssurance(factors)).toBe(level);
  });
});

describe('checkAccess', () => {
  it.each([
    ['admin', 'aal1', none, 'granted'],
    ['admin', 'aal1', unverified, 'granted'],
    ['admin', 'aal1', verified, 'second-factor-needed'],
    ['admin', 'aal2', verified, 'granted'],
    ['admin', 'aal2', none, 'granted'],
    ['admin', '', verified, 'second-factor-needed'],
    ['member', 'aal2', verified, 'not-admin'],
    ['Admin', 'aal1', none, 'not-admin'],
    [undefined, 'aal2', none, 'not-admin'],
    [['admin'], 'aal2', none, 'not-admin'],
  ])('decides for role %j at %s with %j: %s', (role, aal, factors, access) => {
    expect(checkAccess({ app_metadata: { role }, aal, user_verified: false }, factors)).toBe(access);
  });

  it('accepts a passkey with user verification as two factors', () => {
    const claims = { app_metadata: { role: 'admin' }, aal: 'aal1', user_verified: true };
    expect(checkAccess(claims, verified)).toBe('granted');
  });
});
