import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authRequest } from '../testing/request.ts';
import { compileGlob } from './glob.ts';
import { redirectTarget, redirectUrl } from './target.ts';

const configWith = (siteUrl: string, ...allowList: string[]) => ({
  redirects: { siteUrl, appUrl: siteUrl, allowList },
});
const site = configWith(
  'https://room.example',
  'https://*.preview.example/**',
  'myapp://login/*',
  'https://exact.example/back?x=1',
);

describe('compileGlob', () => {
  it.each([
    ['https://*.x.co', 'https://a.x.co', true],
    ['https://*.x.co', 'https://a.b.x.co', false],
    ['https://**.x.co', 'https://a.b.x.co', true],
    ['https://x.co/*', 'https://x.co/a', true],
    ['https://x.co/*', 'https://x.co/a/b', false],
    ['https://x.co/**', 'https://x.co/a/b', true],
    ['https://x.co/?', 'https://x.co/a', true],
    ['https://x.co/?', 'https://x.co/ab', false],
    ['https://x.co/[a-c]', 'https://x.co/b', true],
    ['https://x.co/[!a-c]', 'https://x.co/b', false],
    ['https://{a,b}.co', 'https://b.co', true],
    ['https://{a,b}.co', 'https://c.co', false],
    ['https://x.co', 'https://xaco', false],
    ['https://x.co/[', 'https://x.co/[', true],
    ['https://x.co/\\*', 'https://x.co/*', true],
  ])('%s matches %s: %s', (pattern, url, matches) => {
    expect(compileGlob(pattern).test(url)).toBe(matches);
  });

  it('compiles any pattern, and one without special characters matches only itself', () => {
    fc.assert(fc.property(fc.string(), (pattern) => compileGlob(pattern) instanceof RegExp));
    const plain = fc.stringMatching(/^[^*?[\]{}\\]*$/);
    fc.assert(
      fc.property(plain, fc.string(), (text, other) => compileGlob(text).test(other) === (text === other)),
    );
  });
});

describe('redirectTarget', () => {
  const context = { config: site } as never;
  const from = (query: string, headers: Record<string, string> = {}) =>
    redirectTarget(context, authRequest({ query, headers }));

  it.each([
    [
      'the header first',
      'redirect_to=https://room.example/q',
      { redirect_to: 'https://room.example/h' },
      'https://room.example/h',
    ],
    [
      'then the parameter',
      'redirect_to=https://room.example/q',
      { referer: 'https://room.example/r' },
      'https://room.example/q',
    ],
    [
      'then the page it came from',
      'redirect_to=https://evil.test',
      { referer: 'https://room.example/r' },
      'https://room.example/r',
    ],
    [
      'a URL as it was parsed',
      'redirect_to=https:%5C%5Croom.example/a/..%5Cq%09x',
      {},
      'https://room.example/qx',
    ],
    ['no user name', 'redirect_to=https://ann:secret@room.example/', {}, 'https://room.example'],
    [
      'else the site',
      'redirect_to=https://evil.test',
      { referer: 'https://evil.test' },
      'https://room.example',
    ],
  ])('selects %s', (_, query, headers, target) => {
    expect(from(query, headers)).toBe(target);
  });
});

describe('redirectUrl', () => {
  it('sorts and marks the fragment, and keeps the query', () => {
    const url = redirectUrl('https://x.co/a?b=1#old', { query: { code: '2' }, fragment: { z: '1', a: '&' } });
    expect(url).toBe('https://x.co/a?b=1&code=2#a=%26&sb=&z=1');
  });

  it('keeps the fragment if there is nothing to add', () => {
    expect(redirectUrl('https://x.co/a#old', {})).toBe('https://x.co/a#old');
  });
});
