import type { User } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { conflictsOf, fieldsOf, nameOf, snapshotOf } from './user-edit.ts';

const user = {
  id: 'u1',
  email: 'ada@example.org',
  phone: '15550142',
  app_metadata: { role: 'editor', provider: 'email' },
  user_metadata: { full_name: 'Ada' },
} as unknown as User;

describe('fieldsOf', () => {
  it('separates the role from the metadata of the app', () => {
    expect(fieldsOf(user)).toEqual({
      email: 'ada@example.org',
      phone: '+15550142',
      role: 'editor',
      userMetadata: '{\n  "full_name": "Ada"\n}',
      appMetadata: '{\n  "provider": "email"\n}',
    });
  });
});

describe('conflictsOf', () => {
  const current = fieldsOf(user);

  it('finds no conflict if the fields are the same in another layout', () => {
    expect(conflictsOf({ email: current.email, userMetadata: '{"full_name":"Ada"}' }, current, {})).toEqual(
      [],
    );
  });

  it('returns both values of a field that has changed', () => {
    const based = { email: 'old@example.org', role: 'editor' };
    expect(conflictsOf(based, current, { email: 'new@example.org', role: '' })).toEqual([
      { field: 'email', theirs: 'ada@example.org', yours: 'new@example.org' },
    ]);
  });
});

describe('snapshotOf', () => {
  it('contains no fields other than those that administrators change', () => {
    expect(Object.keys(snapshotOf({ ...user, password: 'secret' } as unknown as User))).toEqual([
      'email',
      'phone',
      'email_confirmed_at',
      'phone_confirmed_at',
      'banned_until',
      'app_metadata',
      'user_metadata',
    ]);
  });
});

describe('nameOf', () => {
  it.each([
    [{ id: 'u1', email: 'a@b.co', phone: '1555' }, 'a@b.co'],
    [{ id: 'u1', phone: '1555' }, '+1555'],
    [{ id: 'u1' }, 'u1'],
  ])('names %j %s', (person, name) => {
    expect(nameOf(person)).toBe(name);
  });
});
