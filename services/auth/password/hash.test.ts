import { parseOptions } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { hashPassword, passwordMatches } from './hash.ts';

describe('hashPassword', () => {
  it('makes bcrypt hashes of cost 10, each with a salt of its own', async () => {
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    expect(parseOptions(one)).toEqual({ version: '2a', cost: 10 });
    expect(one).not.toBe(two);
  });
});

describe('passwordMatches', () => {
  it('accepts the password of a hash', async () => {
    expect(await passwordMatches('secret', await hashPassword('secret'))).toBe(true);
  });

  it.each([
    ['a wrong password', 'secret2', hashPassword('secret')],
    ['no account', 'secret', undefined],
    ['no password', 'secret', null],
    ['an empty hash', '', ''],
    ['a hash that is none', 'secret', 'plain'],
    ['what bcrypt would not read to the end', 'a'.repeat(73), hashPassword('a'.repeat(72))],
  ])('refuses %s', async (_, password, stored) => {
    expect(await passwordMatches(password, await stored)).toBe(false);
  });
});
