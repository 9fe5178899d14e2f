import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dispositionOf } from './disposition.ts';

const named = (encoded: string) => `attachment; filename=${encoded}; filename*=UTF-8''${encoded}`;

it.each([
  [undefined, undefined],
  ['', 'attachment;'],
  ['a.txt', named('a.txt')],
  ['my file.txt', named('my%20file.txt')],
  ['naïve €.txt', named('na%C3%AFve%20%E2%82%AC.txt')],
  ['日本語.png', named('%E6%97%A5%E6%9C%AC%E8%AA%9E.png')],
  ['🎉', named('%F0%9F%8E%89')],
  [`it's (1)*.txt`, named('it%27s%20%281%29%2A.txt')],
  ['a"b\\c;d', named('a%22b%5Cc%3Bd')],
  ['a\r\nSet-Cookie: b=c', named('a%0D%0ASet-Cookie%3A%20b%3Dc')],
  ['half \ud83c', named('half%20%EF%BF%BD')],
  ['../../etc/passwd', named('..%2F..%2Fetc%2Fpasswd')],
])('contains %j as %s', (download, header) => {
  expect(dispositionOf(download)).toBe(header);
});

it('has at most two parameters, which decode to the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 1500 }), (name) => {
      const header = dispositionOf(name) ?? '';
      validateHeaderValue('content-disposition', header);
      const [, plain, extended] =
        /^attachment; filename=([\w!~.%-]*); filename\*=UTF-8''([\w!~.%-]*)$/.exec(header) ?? [];
      expect(plain).toBe(extended);
      expect(decodeURIComponent(extended ?? '')).toBe(name.slice(0, 1024).toWellFormed());
    }),
  );
});
