import { describe, expect, it } from 'vitest';
import { CookieJar } from './cookie-jar.server.ts';
import { consumeSavedPath, savePath } from './saved-path.server.ts';

const settings = { cookiePrefix: 'sb', pages: { login: '/login', callback: '/confirm' } };

describe('savePath', () => {
  it('saves path and query for 8 hours', () => {
    const jar = new CookieJar(null, true);
    savePath(jar, '/admin?claim=x', settings);
    expect([...jar.setCookieHeaders()]).toEqual([
      'sb-redirect-path=%2Fadmin%3Fclaim%3Dx; Max-Age=28800; Path=/; Secure; SameSite=Lax',
    ]);
  });

  it.each(['/login', '//evil.example/'])('does not save %s', (path) => {
    const jar = new CookieJar(null, false);
    savePath(jar, path, settings);
    expect([...jar.setCookieHeaders()]).toEqual([]);
  });
});

describe('consumeSavedPath', () => {
  it.each([
    ['%2Fadmin', '/admin'],
    ['%2F%2Fevil.example', '/'],
    ['https%3A%2F%2Fevil.example', '/'],
    ['%2Flogin', '/'],
    ['', '/'],
  ])('restores from %j the path %s and clears the cookie', (value, path) => {
    const jar = new CookieJar(`sb-redirect-path=${value}`, false);
    expect(consumeSavedPath(jar, settings)).toBe(path);
    expect([...jar.setCookieHeaders()]).toEqual(['sb-redirect-path=; Max-Age=0; Path=/; SameSite=Lax']);
    expect(consumeSavedPath(jar, settings)).toBe('/');
  });

  it('clears no cookie if none is saved', () => {
    const jar = new CookieJar(null, false);
    expect(consumeSavedPath(jar, settings)).toBe('/');
    expect([...jar.setCookieHeaders()]).toEqual([]);
  });
});
