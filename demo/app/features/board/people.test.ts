import { describe, expect, it } from 'vitest';
import {
  boardName,
  removeExpiredWriters,
  toPeople,
  updateWriters,
  WRITING_EXPIRY_MS,
  writersOf,
} from './people.ts';

const ADA = { id: 'ada', name: 'Ada' };

describe('boardName', () => {
  it.each([
    [{ email: 'ada@example.org', user_metadata: { full_name: 'Ada' } }, 'Ada'],
    [{ email: 'ada@example.org', user_metadata: {} }, 'ada'],
    [{ email: '', user_metadata: {} }, ''],
  ])('returns for %j the name "%s"', (user, name) => {
    expect(boardName(user)).toBe(name);
  });
});

describe('toPeople', () => {
  it('lists each user once, the own user first, then by name', () => {
    const state = {
      bob: [{ name: 'Bob' }, { name: 'Bob' }],
      ada: [{ name: 'Ada' }],
      alan: [{ name: 'Alan' }],
    };
    expect(toPeople(state, ADA)).toEqual([ADA, { id: 'alan', name: 'Alan' }, { id: 'bob', name: 'Bob' }]);
  });

  it('shows pictures only of the user’s own folder', () => {
    const id = '0b9f3c1e-7a52-4d0e-9b1c-2f6f7d1b8a11';
    const picture = `avatars/${id}/a.webp`;
    const shown = (state: Record<string, Record<string, unknown>[]>) => toPeople(state, ADA)[1]?.picture;
    expect(shown({ [id]: [{ name: 'Bob', picture }] })).toBe(picture);
    expect(shown({ bob: [{ name: 'Bob', picture }] })).toBeUndefined();
    expect(shown({ [id]: [{ name: 'Bob', picture: 'https://elsewhere.example/a.webp' }] })).toBeUndefined();
  });

  it('lists the own user before presence reports it', () => {
    expect(toPeople({}, ADA)).toEqual([ADA]);
  });

  it.each([
    ['a missing name', [{}], ''],
    ['a number', [{ name: 7 }], ''],
    ['no presence', [], ''],
    ['a name with line breaks', [{ name: ' Bob\n\u202eB ' }], 'Bob B'],
    ['a very long name', [{ name: 'x'.repeat(5000) }], 'x'.repeat(100)],
    ['the last of two names', [{ name: 'Old' }, { name: 'New' }], 'New'],
  ])('shows a user with %s as $2', (_name, windows, name) => {
    expect(toPeople({ bob: windows }, ADA)).toEqual([ADA, { id: 'bob', name }]);
  });
});

describe('writers', () => {
  const now = 1000;
  const one = updateWriters([], { personId: 'bob', noteId: 'n', now });

  it('are recorded with one note each', () => {
    expect(updateWriters(one, { personId: 'bob', noteId: 'm', now })).toEqual([
      { personId: 'bob', noteId: 'm', until: now + WRITING_EXPIRY_MS },
    ]);
    expect(updateWriters(one, { personId: 'bob', noteId: undefined, now })).toEqual([]);
    expect(updateWriters(one, { personId: 'alan', noteId: undefined, now })).toBe(one);
  });

  it('expire after a while', () => {
    expect(removeExpiredWriters(one, now + WRITING_EXPIRY_MS - 1)).toBe(one);
    expect(removeExpiredWriters(one, now + WRITING_EXPIRY_MS)).toEqual([]);
  });

  it('are named only if present', () => {
    const bob = { id: 'bob', name: 'Bob' };
    expect(writersOf('n', one, [ADA, bob])).toEqual([bob]);
    expect(writersOf('n', one, [ADA])).toEqual([]);
    expect(writersOf('m', one, [ADA, bob])).toEqual([]);
  });
});
