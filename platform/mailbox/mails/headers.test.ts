import { expect, it } from 'vitest';
import { headersOf } from './headers.ts';

it.each<[string, [string, string][]]>([
  [
    'From: a@example.org\r\nSubject: long\r\n line\r\nTo:b\r\n\r\nBody: x',
    [
      ['From', 'a@example.org'],
      ['Subject', 'long line'],
      ['To', 'b'],
    ],
  ],
  ['Subject: ü\n\nx', [['Subject', 'ü']]],
  ['no header at all', []],
  [': nameless\r\nX:', [['X', '']]],
  ['', []],
])('returns the headers of %j', (source, headers) => {
  expect(headersOf(Buffer.from(source))).toEqual(headers);
});
