import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedRedirect, isAllowedRedirect } from './allow-list.ts';

const configWith = (siteUrl: string, ...allowList: string[]) => ({
  redirects: { siteUrl, appUrl: siteUrl, allowList },
});
const only = (pattern: string) => configWith('https://room.example', pattern);
const site = configWith(
  'https://room.example',
  'https://*.preview.example/**',
  'https://**.deep.example/app/*',
  'https://exact.example/back?x=1',
  'https://bücher.example/**',
  'https://ported.example:8443/**',
  'myapp://callback',
  'myapp://login/*',
  'com.example.app:/callback',
);

describe('isAllowedRedirect', () => {
  it.each([
    'https://room.example',
    'https://room.example/any?x#y',
    'https://a.preview.example/x/y',
    'https://a.b.deep.example/app/x',
    'https://exact.example/back?x=1#fragment',
    'https://xn--bcher-kva.example/x',
    'https://ported.example:8443/x',
    'myapp://callback',
    'myapp://login/done',
    'com.example.app:/callback',
    'http://127.0.0.1:3000/x',
    'http://[::1]:3000/',
  ])('allows %s, unchanged except for the slash of an empty path', (url) => {
    expect(allowedRedirect(url, site)).toBe(url === 'https://room.example' ? `${url}/` : url);
  });

  it.each([
    ['HTTPS://ROOM.EXAMPLE/A', 'https://room.example/A'],
    ['https://room.example:443/a', 'https://room.example/a'],
    ['https:\\\\room.example\\a', 'https://room.example/a'],
    ['https://room。example/a', 'https://room.example/a'],
    ['https://%72oom.example/a', 'https://room.example/a'],
    ['https://ro\tom.exa\nmple/a\r', 'https://room.example/a'],
    ['https://room.example/a/../b/%2e%2e/c', 'https://room.example/c'],
    ['https://a.preview.example\\@evil.test/', 'https://a.preview.example/@evil.test/'],
    ['https://BÜCHER.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https:room.example', 'https://room.example/'],
  ])('allows %j as %s', (url, normalised) => {
    expect(allowedRedirect(url, site)).toBe(normalised);
  });

  it.each([
    '',
    '/relative',
    '//room.example',
    'http://room.example',
    'https://room.example:8443',
    'https://room.example.',
    'https://room.example.evil.test',
    'https://evil.test/?https://room.example',
    'https://evil.test/.preview.example/',
    'https://evil.test?.preview.example/',
    'https://evil。test?.preview.example/',
    'https://evil%2Etest?.preview.example/',
    'https://evil.test\\.preview.example/',
    'https://evil.test/a.deep.example/app/x',
    'https://evil.test#.preview.example/',
    'https://room.example@evil.test',
    'https://ann@room.example/',
    'https://:secret@room.example/',
    'https://evil.test:x@a.preview.example/',
    'https://a.b.preview.example/',
    'https://a.preview.example./x',
    'https://preview.example/x',
    'https://a.preview.example:8443/x',
    'https://ported.example/x',
    'https://a.deep.example/app/../evil',
    'https://a.deep.example/app/%2e%2e/evil',
    'https://exact.example/back?x=12',
    'myapp://callback.evil.test',
    'myapp://callback/other',
    'myapp:callback',
    'myapp://user@callback',
    'otherapp://callback',
    'com.example.app://evil.test/callback',
    'com.example.app:/callback/more',
    'http://10.0.0.1/',
    'http://2130706434/',
    'http:\\\\2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'myapp://123/',
    'http://0x0a000001/',
    'http://[fe80::1]/',
    'myapp://127.0.0.1/',
    'ftp://127.0.0.1/',
    'javascript:alert(1)//https://room.example',
    'java\nscript:alert(1)',
    'data:text/html,x',
    `https://room.example/${'x'.repeat(2048)}`,
    `https://room.example/${'ä'.repeat(1000)}`,
  ])('rejects %j', (url) => {
    expect(isAllowedRedirect(url, site)).toBe(false);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://room.example/1',
    'about:blank',
    'view-source:https://room.example/',
    'ws://room.example/',
    'ftp://room.example/',
  ])('rejects %s even if the list allows everything', (url) => {
    expect(isAllowedRedirect(url, only('**'))).toBe(false);
  });

  it('ignores the port of this machine', () => {
    expect(isAllowedRedirect('http://localhost:5173/x', configWith('http://localhost:3000'))).toBe(true);
  });
});

describe('a pattern', () => {
  it.each<[string, string, boolean]>([
    ['**', 'https://anywhere.example/x', true],
    ['**/callback', 'https://anywhere.example/a/callback', true],
    ['**/callback', 'https://anywhere.example/a', false],
    ['https://**', 'https://a.b.example/x?y', true],
    ['https://**', 'myapp://x', false],
    ['*://x.example/**', 'myapp://x.example/y', true],
    ['http{,s}://x.example/**', 'http://x.example/y', true],
    ['{https://a.example,https://b.example}/**', 'https://b.example/y', true],
    ['{https://a.example,https://b.example}/**', 'https://c.example/y', false],
    ['https://x.example', 'https://x.example/', true],
    ['https://x.example', 'https://x.example/y', false],
    ['https://x.example', 'https://x.example/?y', false],
    ['https://x.example/', 'https://x.example', true],
    ['https://X.example:443/y', 'https://x.example/y', true],
    ['https://x.example**', 'https://x.example/y/z', true],
    ['https://x.example**', 'https://x.example.evil.test/', false],
    ['http://localhost:*/**', 'http://localhost:5173/y', true],
    ['http://localhost:3000**', 'http://localhost:3000/y', true],
    ['https://*--site.example/**', 'https://pr-1--site.example/y', true],
    ['https://x.example/ä b', 'https://x.example/ä b', true],
    ['https://x.example/y?z=*', 'https://x.example/y?z=1', true],
    ['https://[ab].example/', 'https://b.example/', true],
    ['exp://**', 'exp://u.exp.direct/--/x', true],
    ['myapp:///callback', 'myapp:///callback', true],
    ['myapp:*', 'myapp:callback', true],
    ['x.example/**', 'https://x.example/y', false],
    ['*', 'https://x.example/', false],
  ])('%s matches %s: %s', (pattern, url, matches) => {
    expect(isAllowedRedirect(url, only(pattern))).toBe(matches);
  });
});

describe('every allowed URL', () => {
  /** A second definition of the hosts that the patterns of `site` allow, by the parsed host. */
  const HOSTS: Record<string, RegExp> = {
    'https:':
      /^(?:127\.\d+\.\d+\.\d+(?::\d+)?|\[::1\](?::\d+)?|room\.example|[^./:]+\.preview\.example|[^/:]+\.deep\.example|exact\.example|xn--bcher-kva\.example|ported\.example:8443)$/,
    'http:': /^(?:127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/,
    'myapp:': /^(?:callback|login)$/,
    'com.example.app:': /^$/,
  };
  const fragment = fc.oneof(
    fc.constantFrom(
      ...[
        'https://',
        'http://',
        'https:',
        'HTTPS:\\\\',
        'myapp://',
        'com.example.app:/',
        'javascript:',
        '//',
        '/',
      ],
      ...[
        'room.example',
        '.preview.example',
        'a',
        'evil.test',
        'b.deep.example',
        'exact.example',
        'bücher.example',
      ],
      ...['ported.example', 'callback', 'login/', '127.0.0.1', '[::1]', '2130706433', '0x7f.1', 'localhost'],
      ...[
        '@',
        ':',
        ':443',
        ':8443',
        '?',
        '#',
        '\\',
        '\t',
        '\n',
        ' ',
        '.',
        '。',
        '．',
        '%2e',
        '%2F',
        '%40',
        '%00',
        '..',
      ],
      ...[
        '/app/',
        '/back?x=1',
        'xn--',
        'ß',
        '\u00ad',
        '\u200d',
        '\ud800',
        '|',
        '^',
        '*',
        '**',
        '[',
        ']',
        '{',
        ',',
      ],
    ),
    fc.string({ maxLength: 3, unit: 'binary' }),
  );
  const anyUrl = fc.oneof(
    fc.array(fragment, { minLength: 1, maxLength: 9 }).map((fragments) => fragments.join('')),
    fc.webUrl(),
  );

  it('has a host that a pattern allows, is as the parser writes it, and stays allowed', () => {
    fc.assert(
      fc.property(anyUrl, (text) => {
        const allowed = allowedRedirect(text, site);
        if (allowed === undefined) return;
        const url = new URL(text);
        expect(allowed).toBe(url.href);
        expect(new URL(allowed).href).toBe(allowed);
        expect(url.host).toMatch(HOSTS[url.protocol] ?? /^(?!)/);
        expect([url.username, url.password]).toEqual(['', '']);
        expect(allowedRedirect(allowed, site)).toBe(allowed);
      }),
      { numRuns: 20_000 },
    );
  });

  it('has the host of the pattern, regardless of the text around it', () => {
    const around = fc.array(fragment, { maxLength: 3 }).map((fragments) => fragments.join(''));
    fc.assert(
      fc.property(around, around, around, (before, between, after) => {
        const text = `https://${before}.preview.example${between}/${after}`;
        if (isAllowedRedirect(text, only('https://*.preview.example/**'))) {
          const { host, hostname } = new URL(text);
          const isOwn = /^(?:room\.example|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
          if (!isOwn) expect(host).toMatch(/^[^./:]+\.preview\.example$/);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('is matched without an error by any pattern', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 6 }), anyUrl, (fragments, text) => {
        expect(isAllowedRedirect(text, only(fragments.join('')))).toBeTypeOf('boolean');
      }),
    );
  });
});
