import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('quotes fields with separators, quotes or line breaks, and writes null and the empty text differently', () => {
  const rows = [
    ['a,b', 'say "hi"', null],
    ['two\nlines', '', 'plain'],
  ];
  expect(toCsv([{ name: 'one' }, { name: 'two, too' }, { name: 'three' }], rows)).toBe(
    'one,"two, too",three\r\n"a,b","say ""hi""",\r\n"two\nlines","",plain\r\n',
  );
});
