import { describe, expect, it } from 'vitest';
import { dataApiAtRoot, isServicePath, removeBaseFromServices } from './service-path.ts';

describe('isServicePath', () => {
  it.each([
    ['/auth/v1/health', true],
    ['/rest/v1', true],
    ['/rest/v1?select=*', true],
    ['/auth/v10', false],
    ['/', false],
    ['/app/auth/v1', false],
  ])('returns for %s: %s', (path, expected) => {
    expect(isServicePath(path)).toBe(expected);
  });
});

describe('removeBaseFromServices', () => {
  it.each([
    ['/', '/auth/v1/user', '/auth/v1/user'],
    ['/', '/login', '/login'],
    ['/app/', '/app/auth/v1/user?x=1', '/auth/v1/user?x=1'],
    ['/app/', '/auth/v1/user', '/auth/v1/user'],
    ['/app/', '/app/health', '/health'],
    ['/app/', '/app/health/live', '/health/live'],
    ['/app/', '/app/health/ready?x', '/health/ready?x'],
    ['/app/', '/app/health/other', '/app/health/other'],
    ['/app/', '/app/metrics?x', '/metrics?x'],
    ['/app/', '/app/healthy', '/app/healthy'],
    ['/app/', '/app/login', '/app/login'],
    ['/app/', '/app/', '/app/'],
    ['/app/', '/application/auth/v1', '/application/auth/v1'],
    ['/a/b/', '/a/b/rest/v1/', '/rest/v1/'],
    [
      '/',
      '/.well-known/oauth-authorization-server/auth/v1?x',
      '/auth/v1/.well-known/oauth-authorization-server?x',
    ],
    ['/app/', '/.well-known/openid-configuration/auth/v1', '/auth/v1/.well-known/openid-configuration'],
    ['/', '/.well-known/openid-configuration', '/.well-known/openid-configuration'],
    ['/', '/.well-known/jwks.json/auth/v1', '/.well-known/jwks.json/auth/v1'],
    ['/', '/.well-known/openid-configuration/auth/v1/x', '/.well-known/openid-configuration/auth/v1/x'],
  ])('with the base %s rewrites %s to %s', (base, url, expected) => {
    expect(removeBaseFromServices(base)(url)).toBe(expected);
  });
});

describe('dataApiAtRoot', () => {
  it.each([
    ['/', '/rest/v1/'],
    ['/films?id=eq.1', '/rest/v1/films?id=eq.1'],
    ['/rpc/v1', '/rest/v1/rpc/v1'],
    ['/rest', '/rest/v1/rest'],
    ['/healthy', '/rest/v1/healthy'],
    ['/health', '/health'],
    ['/metrics?x', '/metrics?x'],
    ['/rest/v1/films', '/rest/v1/films'],
    ['/rest/v1', '/rest/v1'],
    ['/rest/v1?select=*', '/rest/v1?select=*'],
    ['*', '*'],
  ])('rewrites %s to %s', (url, expected) => {
    expect(dataApiAtRoot(url)).toBe(expected);
  });
});
