import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redirectPathCookieName, safeRedirectPath } from './redirect-path.ts';

const pages = { login: '/login', callback: '/confirm' };

describe('safeRedirectPath', () => {
  it.each([
    ['/', '/'],
    ['/admin', '/admin'],
    ['/admin?claim=abc&x=%20#top', '/admin?claim=abc&x=%20#top'],
    ['/a/../b', '/b'],
    ['/login/help', '/login/help'],
    ['/?next=//evil.example', '/?next=//evil.example'],
    ['/ä', '/%C3%A4'],
  ])('keeps %j', (value, path) => {
    expect(safeRedirectPath(value, pages)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'admin',
    ' /admin',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/a\\b',
    '/..//evil.example',
    '/x/..//evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '/\tevil',
    '/\n/evil.example',
    '/\u0000',
    '/\u007f',
    '\t//evil.example',
    '/login',
    '/login?mode=sign-up',
    '/x/../login',
    '/confirm#a',
    `/${'a'.repeat(2048)}`,
  ])('rejects %j', (value) => {
    expect(safeRedirectPath(value, pages)).toBeUndefined();
  });

  it('never leaves the origin for any input', () => {
    const unit = fc.constantFrom('/', '\\', '.', ':', '@', '?', '#', 'a', 'http:', '\t', '%2f', 'é');
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit, maxLength: 12 }).map((end) => `/${end}`),
    );
    fc.assert(
      fc.property(text, (value) => {
        const path = safeRedirectPath(value, pages);
        if (path === undefined) return;
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, 'https://app.example/deep/page').origin).toBe('https://app.example');
      }),
      { numRuns: 2000 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.webPath(), (value) => {
        const path = safeRedirectPath(value, pages);
        if (path !== undefined) expect(safeRedirectPath(path, pages)).toBe(path);
      }),
    );
  });
});

describe('redirectPathCookieName', () => {
  it('adds the suffix to the prefix', () => {
    expect(redirectPathCookieName('sb-127-auth-token')).toBe('sb-127-auth-token-redirect-path');
  });
});
