import { describe, expect, it } from 'vitest';
import { chosenName, personAddress, personName } from './person-name.ts';

const ADA = { email: 'ada@example.com', phone: '447700900123', sub: 'u1' };

describe('personAddress', () => {
  it.each([
    [ADA, 'ada@example.com'],
    [{ email: '', phone: '447700900123', sub: 'u1' }, '+447700900123'],
    [{ email: '', phone: '+447700900123', sub: 'u1' }, '+447700900123'],
    [{ email: '', phone: '', sub: 'u1' }, 'u1'],
  ])('returns for %j: %s', (person, name) => {
    expect(personAddress(person)).toBe(name);
    expect(personName({ ...person, user_metadata: {} })).toBe(name);
  });
});

describe('personName', () => {
  it('returns the display name of the user', () => {
    expect(personName({ ...ADA, user_metadata: { full_name: 'Ada Lovelace' } })).toBe('Ada Lovelace');
  });
});

describe('chosenName', () => {
  it.each([
    ['Ada', 'Ada'],
    ['  Ada \n\t Lovelace ', 'Ada Lovelace'],
    ['a\u202Eb\u0000c', 'a b c'],
    ['👩‍🚀 Ada', '👩‍🚀 Ada'],
    ['é'.repeat(101), 'é'.repeat(100)],
    ['😀'.repeat(101), '😀'.repeat(100)],
    ['   ', ''],
    [5, ''],
    [undefined, ''],
    [{ first: 'Ada' }, ''],
  ])('returns for %j: %j', (full_name, name) => {
    expect(chosenName({ full_name })).toBe(name);
  });
});
