import { describe, expect, it } from 'vitest';
import { personName } from './person-name.ts';

describe('personName', () => {
  it.each([
    [{ email: 'ada@example.com', phone: '447700900123', sub: 'u1' }, 'ada@example.com'],
    [{ email: '', phone: '447700900123', sub: 'u1' }, '+447700900123'],
    [{ email: '', phone: '+447700900123', sub: 'u1' }, '+447700900123'],
    [{ email: '', phone: '', sub: 'u1' }, 'u1'],
  ])('%j: %s', (person, name) => {
    expect(personName(person)).toBe(name);
  });
});
