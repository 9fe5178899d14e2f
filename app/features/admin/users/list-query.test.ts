import { describe, expect, it } from 'vitest';
import {
  formatPosition,
  isFiltered,
  isUuid,
  listPath,
  parsePosition,
  readListQuery,
  withoutPosition,
} from './list-query.ts';

const ID = '9f1c3c0e-7d51-4f5e-8a55-0b6f3a2c1d00';
const read = (search: string) => readListQuery(new URLSearchParams(search));

describe('readListQuery', () => {
  it.each([
    ['', {}],
    ['q=%20ada%00%20', { q: 'ada' }],
    ['role=editor&provider=google', { role: 'editor', provider: 'google' }],
    ['state=banned&factor=yes&sort=email-desc', { state: 'banned', factor: 'yes', sort: 'email-desc' }],
    ['state=nice&factor=maybe&sort=name', {}],
    ['since=2026-02-03', { since: '2026-02-03' }],
    ['since=2026-13-45', {}],
    ['since=yesterday', {}],
    [`after=${ID}~2026-01-01`, { after: `${ID}~2026-01-01` }],
    ['after=none', {}],
    [`q=${'x'.repeat(300)}`, { q: 'x'.repeat(255) }],
  ])('reads %j', (search, expected) => {
    expect(read(search)).toEqual({ ...read(''), ...expected });
  });
});

describe('listPath', () => {
  it('contains the selected values only, and is parsed to the same selection', () => {
    const query = read(`q=a&state=deleted&sort=oldest&before=${ID}~x`);
    const path = listPath(query, { ask: 'create' });
    expect(path).toBe(`/admin/users?q=a&state=deleted&sort=oldest&before=${ID}%7Ex&ask=create`);
    expect(read(path.split('?')[1] ?? '')).toEqual(query);
    expect(listPath({})).toBe('/admin/users');
  });
});

describe('positions', () => {
  it.each(['2026-01-02 03:04:05.678901+00', 'a~b@example.org', ''])('keep the key %j', (key) => {
    expect(parsePosition(formatPosition({ key, id: ID }))).toEqual({ key, id: ID });
  });

  it.each(['', '~', 'x~y', ID, `${ID}~${'x'.repeat(256)}`])('reject %j', (text) => {
    expect(parsePosition(text)).toBeUndefined();
  });

  it('are no filter, and can be left out', () => {
    const query = read(`after=${ID}~x&sort=email`);
    expect(isFiltered(query)).toBe(false);
    expect(withoutPosition(query)).toEqual(read('sort=email'));
    expect(isFiltered(read('role=x'))).toBe(true);
  });
});

describe('isUuid', () => {
  it.each([
    [ID, true],
    [ID.toUpperCase(), true],
    [`${ID}0`, false],
    ['', false],
  ])('decides about %j: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
