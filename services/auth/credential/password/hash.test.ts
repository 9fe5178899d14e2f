import { parseOptions } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { authRequest } from '../../testing/request.ts';
import { createPasswordHasher, QUICK_COST } from './hash.ts';

const hasher = createPasswordHasher();
const { needsRehash } = hasher;
const CLIENT = authRequest();
const hash = (password: string) => hasher.hash(password, CLIENT);
const matches = (password: string, stored: string | null | undefined) =>
  hasher.matches(password, stored, CLIENT);

describe('hash', () => {
  it('creates bcrypt hashes of cost 10, each with a new salt', async () => {
    const [one, two] = await Promise.all([hash('secret'), hash('secret')]);
    expect(parseOptions(one)).toEqual({ version: '2a', cost: 10 });
    expect(one).not.toBe(two);
  });
});

describe('another cost', () => {
  const quick = createPasswordHasher({ cost: QUICK_COST });

  it('applies to new hashes', async () => {
    expect(parseOptions(await quick.hash('secret', CLIENT))).toEqual({ version: '2a', cost: QUICK_COST });
  });

  it('verifies hashes of the default cost, and the reverse', async () => {
    const [production, weak] = await Promise.all([hash('secret'), quick.hash('secret', CLIENT)]);
    expect(await Promise.all([quick.matches('secret', production, CLIENT), matches('secret', weak)])).toEqual(
      [true, true],
    );
    expect([quick.needsRehash('secret', production), needsRehash('secret', weak)]).toEqual([false, true]);
  });

  it.each([undefined, null, ''])('matches no password for an account without one: %s', async (stored) => {
    expect(await quick.matches('secret', stored, CLIENT)).toBe(false);
  });
});

describe('matches', () => {
  it('accepts the password of a hash', async () => {
    expect(await matches('secret', await hash('secret'))).toBe(true);
  });

  it.each([
    ['a wrong password', 'secret2', hash('secret')],
    ['a missing account', 'secret', undefined],
    ['an account without a password', 'secret', null],
    ['an empty hash', '', ''],
    ['an invalid hash', 'secret', 'plain'],
    ['a password longer than bcrypt reads', 'a'.repeat(73), hash('a'.repeat(72))],
  ])('rejects %s', async (_, password, stored) => {
    expect(await matches(password, await stored)).toBe(false);
  });
});
