import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('quotes fields that need it, and tells null from an empty text', () => {
  const rows = [
    ['a,b', 'say "hi"', null],
    ['two\nlines', '', 'plain'],
  ];
  expect(toCsv([{ name: 'one' }, { name: 'two, too' }, { name: 'three' }], rows)).toBe(
    'one,"two, too",three\r\n"a,b","say ""hi""",\r\n"two\nlines","",plain\r\n',
  );
});
