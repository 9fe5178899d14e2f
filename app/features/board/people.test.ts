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
  ])('%#', (user, name) => {
    expect(boardName(user)).toBe(name);
  });
});

describe('toPeople', () => {
  it('has each person once, oneself first, then by name', () => {
    const state = {
      bob: [{ name: 'Bob' }, { name: 'Bob' }],
      ada: [{ name: 'Ada' }],
      alan: [{ name: 'Alan' }],
    };
    expect(toPeople(state, ADA)).toEqual([ADA, { id: 'alan', name: 'Alan' }, { id: 'bob', name: 'Bob' }]);
  });

  it('shows pictures, but nobody another’s', () => {
    const id = '0b9f3c1e-7a52-4d0e-9b1c-2f6f7d1b8a11';
    const picture = `${id}/a.webp`;
    const shown = (state: Record<string, Record<string, unknown>[]>) => toPeople(state, ADA)[1]?.picture;
    expect(shown({ [id]: [{ name: 'Bob', picture }] })).toBe(picture);
    expect(shown({ bob: [{ name: 'Bob', picture }] })).toBeUndefined();
    expect(shown({ [id]: [{ name: 'Bob', picture: 'https://elsewhere.example/a.webp' }] })).toBeUndefined();
  });

  it('has oneself before anybody knows of it', () => {
    expect(toPeople({}, ADA)).toEqual([ADA]);
  });

  it.each([
    ['nothing', [{}], ''],
    ['a number', [{ name: 7 }], ''],
    ['nobody', [], ''],
    ['lines', [{ name: ' Bob\n\u202eB ' }], 'Bob B'],
    ['a novel', [{ name: 'x'.repeat(5000) }], 'x'.repeat(100)],
    ['two names, the last of which counts', [{ name: 'Old' }, { name: 'New' }], 'New'],
  ])('takes %s for a name', (_name, windows, name) => {
    expect(toPeople({ bob: windows }, ADA)).toEqual([ADA, { id: 'bob', name }]);
  });
});

describe('writers', () => {
  const now = 1000;
  const one = updateWriters([], { personId: 'bob', noteId: 'n', now });

  it('write one note at a time', () => {
    expect(updateWriters(one, { personId: 'bob', noteId: 'm', now })).toEqual([
      { personId: 'bob', noteId: 'm', until: now + WRITING_EXPIRY_MS },
    ]);
    expect(updateWriters(one, { personId: 'bob', noteId: undefined, now })).toEqual([]);
    expect(updateWriters(one, { personId: 'alan', noteId: undefined, now })).toBe(one);
  });

  it('are forgotten after a while', () => {
    expect(removeExpiredWriters(one, now + WRITING_EXPIRY_MS - 1)).toBe(one);
    expect(removeExpiredWriters(one, now + WRITING_EXPIRY_MS)).toEqual([]);
  });

  it('are named only where they are here', () => {
    const bob = { id: 'bob', name: 'Bob' };
    expect(writersOf('n', one, [ADA, bob])).toEqual([bob]);
    expect(writersOf('n', one, [ADA])).toEqual([]);
    expect(writersOf('m', one, [ADA, bob])).toEqual([]);
  });
});
