import { describe, expect, it } from 'vitest';
import { quoteIdentifier, quoteQualified } from './sql-identifier.ts';

describe('quoteIdentifier', () => {
  it.each([
    ['notes', '"notes"'],
    ['Weird name', '"Weird name"'],
    ['a"b', '"a""b"'],
    ['"; drop table notes; --', '"""; drop table notes; --"'],
    ['straße', '"straße"'],
  ])('quotes %j as %s', (name, quoted) => {
    expect(quoteIdentifier(name)).toBe(quoted);
  });

  it.each(['', 'a\0b'])('rejects the name %j', (name) => {
    expect(() => quoteIdentifier(name)).toThrow(RangeError);
  });
});

it('quoteQualified quotes the schema and the name separately', () => {
  expect(quoteQualified('my.schema', 'a"b')).toBe('"my.schema"."a""b"');
});
