import { expect, it } from 'vitest';
import { relationSql } from './find-sql.ts';

it.each([
  ['notes', ['notes', '%notes%']],
  [' public  notes ', ['public  notes', '%public%', '%notes%']],
  ['100%_', ['100%_', '%100\\%\\_%']],
  ["';drop table x;--", ["';drop table x;--", "%';drop%", '%table%', '%x;--%']],
])('relationSql passes the words of %j as parameters only', (query, values) => {
  const found = relationSql(query, 8);
  expect(found.values).toEqual(values);
  expect(found.text.match(/ilike \$\d+/g)).toEqual(values.slice(1).map((_, index) => `ilike $${index + 2}`));
  expect(found.text).not.toContain(query);
  expect(found.text).toMatch(/limit 8$/);
});

it('relationSql has at most eight words', () => {
  expect(relationSql('a b c d e f g h i j', 8).values).toHaveLength(9);
});
