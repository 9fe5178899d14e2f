import { expect, it } from 'vitest';
import { quoteLiteral } from './sql-literal.ts';

it.each([
  [null, 'null'],
  ['', "''"],
  ["it's", "'it''s'"],
  ['a\\b', "E'a\\\\b'"],
  ["\\'; drop table notes; --", "E'\\\\''; drop table notes; --'"],
])('quoteLiteral quotes %j as %s', (value, literal) => {
  expect(quoteLiteral(value)).toBe(literal);
});

it('quoteLiteral rejects a zero byte', () => {
  expect(() => quoteLiteral('a\0b')).toThrow(RangeError);
});
