import { describe, expect, it } from 'vitest';
import { type ListedUser, rangeText, toUserPage, type UserRow } from './user-rows.ts';

const listed: ListedUser = { id: 'u1', created_at: '2026-01-02T03:04:05.678Z' };
const row: UserRow = {
  id: 'u1',
  email: '',
  phone: '',
  name: '',
  role: '',
  providers: [],
  isConfirmed: false,
  isBanned: false,
  isAnonymous: false,
  isDeleted: false,
  hasFactor: false,
  createdAt: 1767323045,
  lastSignInAt: null,
};

describe('toUserPage', () => {
  it.each<[string, Partial<ListedUser>, Partial<UserRow>]>([
    ['an id only', {}, {}],
    ['an email', { email: 'ada@example.com' }, { email: 'ada@example.com' }],
    ['a phone', { phone: '447700900123' }, { phone: '+447700900123' }],
    ['a role', { app_metadata: { role: 'admin' } }, { role: 'admin' }],
    ['a ban', { banned_until: '9999-01-01T00:00:00Z' }, { isBanned: true }],
    ['a past ban', { banned_until: '2026-01-01T00:00:00Z' }, {}],
    ['providers', { app_metadata: { providers: ['email', 'google'] } }, { providers: ['email', 'google'] }],
    ['no address', { is_anonymous: true }, { isAnonymous: true }],
    ['a role of another type', { app_metadata: { role: ['admin'] } }, {}],
    ['a confirmation', { confirmed_at: '2026-01-02T00:00:00Z' }, { isConfirmed: true }],
    ['a confirmed email', { email_confirmed_at: '2026-01-02T00:00:00Z' }, { isConfirmed: true }],
    ['a confirmed phone', { phone_confirmed_at: '2026-01-02T00:00:00Z' }, { isConfirmed: true }],
    ['a sign-in', { last_sign_in_at: '2026-01-02T03:04:05Z' }, { lastSignInAt: 1767323045 }],
    ['an invalid time', { last_sign_in_at: 'yesterday' }, {}],
  ])('converts a user with %s', (_name, change, expected) => {
    expect(toUserPage([{ ...listed, ...change }], 1, 1).rows).toEqual([{ ...row, ...expected }]);
  });

  const users = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...listed, id: `u${index}` }));

  it.each([
    ['no users', 0, 1, 0, { total: 0, lastPage: 1 }, '0 of 0'],
    ['one page', 3, 1, 3, { total: 3, lastPage: 1 }, '1–3 of 3'],
    ['one full page', 50, 1, 50, { total: 50, lastPage: 1 }, '1–50 of 50'],
    ['the first page', 50, 1, 512, { total: 512, lastPage: 11 }, '1–50 of 512'],
    ['the last page', 12, 11, 512, { total: 512, lastPage: 11 }, '501–512 of 512'],
    ['thousands of users', 50, 30, 2512, { total: 2512, lastPage: 51 }, '1,451–1,500 of 2,512'],
    ['a page beyond the end', 0, 99, 512, { total: 512, lastPage: 11 }, '0 of 512'],
    ['a page without a total', 3, 1, 0, { total: 3, lastPage: 1 }, '1–3 of 3'],
  ])('counts %s', (_name, count, page, total, expected, range) => {
    const result = toUserPage(users(count), page, total);
    expect(result).toMatchObject({ page, ...expected });
    expect(rangeText(result, 'en')).toBe(range);
  });

  it('formats numbers in the language of the page', () => {
    expect(rangeText(toUserPage(users(12), 51, 2512), 'de')).toBe('2.501–2.512 von 2.512');
  });
});
