import { describe, expect, it } from 'vitest';
import { coveredRoutes, createPathLookup } from './other-methods.ts';

const endpoints = [
  { method: 'GET', path: '/user' },
  { method: 'PUT', path: '/user' },
  { method: 'GET', path: '/identities/authorize' },
  { method: 'DELETE', path: '/identities/:identityId' },
  { method: 'POST', path: '/factors/:factorId/verify' },
  { method: 'POST', path: '/factors/:factorId/challenge' },
] as const;

describe('createPathLookup', () => {
  const findPath = createPathLookup(endpoints, '/auth/v1');

  it.each([
    ['/auth/v1/user', '/user', 'GET, PUT'],
    ['/auth/v1/us%65r?a=1', '/user', 'GET, PUT'],
    ['http://localhost/auth/v1/user', '/user', 'GET, PUT'],
    ['/auth/v1/identities/authorize', '/identities/authorize', 'GET'],
    ['/auth/v1/identities/authorized', '/identities/:identityId', 'DELETE'],
    [`/auth/v1/identities/${'a'.repeat(5000)}`, '/identities/:identityId', 'DELETE'],
  ])('finds the endpoints of %s', (url, path, allowed) => {
    const found = findPath(url);
    expect([found?.path, found?.allowed.join(', ')]).toEqual([path, allowed]);
  });

  it.each(['/user', '/auth/v1/user/', '/auth/v1/users', '/auth/v1/factors/a/b', '/auth/v1/USER'])(
    'finds no endpoint of %s',
    (url) => {
      expect(findPath(url)).toBeUndefined();
    },
  );
});

describe('coveredRoutes', () => {
  it('returns the methods that only another path of the same URL has', () => {
    expect(coveredRoutes(endpoints)).toEqual([
      { method: 'DELETE', path: '/identities/authorize' },
      { method: 'GET', path: '/identities/:identityId' },
    ]);
  });
});
