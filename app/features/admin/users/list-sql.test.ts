import { describe, expect, it } from 'vitest';
import { readListQuery } from './list-query.ts';
import { exactSql, exportSql, pageSql, startOf } from './list-sql.ts';

const ADMIN = '00000000-0000-4000-8000-000000000001';
const ID = '9f1c3c0e-7d51-4f5e-8a55-0b6f3a2c1d00';
const read = (search: string) => readListQuery(new URLSearchParams(search));
const page = (search: string, isReversed = false, from = { key: 'x', id: ID }) =>
  pageSql(read(search), ADMIN, { from, isReversed }, { budget: 100, limit: 51 });

/** Returns the numbers of the parameters that a text uses. */
const used = (text: string) => [
  ...new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))),
];

describe('pageSql', () => {
  it.each([
    ['', false, 'u.created_at desc', '(u.created_at, u.id) <'],
    ['', true, 'u.created_at asc', '(u.created_at, u.id) >'],
    ['sort=oldest', false, 'u.created_at asc', '(u.created_at, u.id) >'],
    ['sort=email', false, `(coalesce(u.email, '')) collate "C" asc`, `collate "C", u.id) >`],
    ['sort=email-desc', false, `(coalesce(u.email, '')) collate "C" desc`, `collate "C", u.id) <`],
    ['sort=email-desc', true, `(coalesce(u.email, '')) collate "C" asc`, `collate "C", u.id) >`],
  ])('continues %j (reversed: %s) after a row in the order %s', (search, isReversed, order, comparison) => {
    const { text, values } = page(search, isReversed);
    expect(text).toContain(`order by ${order}, u.id`);
    expect(text).toContain(comparison);
    expect(values).toEqual([ADMIN, 'x', ID]);
  });

  it('reads at most the budget, and returns at most the limit', () => {
    const { text } = page('');
    expect(text).toContain('limit 100');
    expect(text).toContain('limit 51');
    expect(text).not.toMatch(/offset [1-9]/);
  });

  it.each([
    ['role=editor', 'editor'],
    ['provider=google', 'google'],
    ['since=2026-02-03', '2026-02-03T00:00:00Z'],
    ["q=o'neil%25_", "%o'neil\\%\\_%"],
    ["role=';drop%20table%20x;--", "';drop table x;--"],
  ])('passes the values of %s as parameters only', (search, value) => {
    const { text, values } = page(search);
    expect(values).toContain(value);
    expect(text).not.toContain(value);
    expect(used(text)).toHaveLength(values.length);
  });

  it('searches addresses in lower case, numbers as they are stored, and metadata in any case', () => {
    const { values } = page('q=%2B1%20(555)%20010');
    expect(values).toEqual([ADMIN, 'x', ID, '%+1 (555) 010%', '%1555010%', '%+1 (555) 010%']);
    expect(page('q=ADA').values.slice(3)).toEqual(['%ada%', '%ADA%']);
  });
});

describe('exactSql', () => {
  it.each([
    ['q=ada', undefined],
    ['q=ADA@example.org', ['ada@example.org']],
    [`q=${ID}`, [ID]],
    ['q=%2B1555010', ['1555010']],
  ])('looks up %s', (search, values) => {
    expect(exactSql(read(search), ADMIN)?.values.slice(1)).toEqual(values);
  });

  it('applies the filters, too', () => {
    expect(exactSql(read('q=a@b.co&state=banned'), ADMIN)?.text).toContain('u.banned_until > now()');
  });
});

describe('exportSql', () => {
  it('has the filters and the order of the list, and no limit', () => {
    const { text, values } = exportSql(read('role=editor&sort=email'), ADMIN);
    expect(text).toContain('order by (coalesce(u.email');
    expect(text).not.toContain('limit');
    expect(values).toEqual([ADMIN, 'editor']);
  });

  it('contains no secrets', () => {
    expect(exportSql(read(''), ADMIN).text).not.toMatch(/password|token/);
  });
});

describe('startOf', () => {
  it.each([
    ['', 'infinity'],
    ['sort=oldest', '-infinity'],
    ['sort=email', ''],
    ['sort=email-desc', '\u{10ffff}'],
  ])('begins %j before the first user', (search, key) => {
    expect(startOf(read(search)).key).toBe(key);
  });
});
