import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('csvOf writes NULL and an empty text differently, and quotes only fields that need it', () => {
  const columns = ['a', 'b'].map((name) => ({ name, type: 25 }));
  const rows = [
    [null, ''],
    ['a "b", c', 'two\nlines'],
    ["it's", '\\.'],
  ];
  expect(csvOf({ columns, rows })).toBe('a,b\n,""\n"a ""b"", c","two\nlines"\nit\'s,"\\."\n');
});
