import { describe, expect, it } from 'vitest';
import { candidateEmail, decideLinking, verifiedAddresses } from './linking.ts';
import type { ProfileEmail } from './profile.ts';

const email = (address: string, isVerified = true, isPrimary = true): ProfileEmail => ({
  address,
  isVerified,
  isPrimary,
});
const by = (id: string, byIdentity: boolean) => ({ id, byIdentity });

describe('decideLinking', () => {
  it.each([
    ['finds the owner of the identity', 'ann', [by('bob', true)], { outcome: 'exists', userId: 'ann' }],
    ['links an address of one account', undefined, [by('ann', false)], { outcome: 'link', userId: 'ann' }],
    [
      'prefers an account whose identity has the address',
      undefined,
      [by('ann', true), by('bob', false)],
      { outcome: 'link', userId: 'ann' },
    ],
    [
      'links two addresses of one account',
      undefined,
      [by('ann', true), by('ann', true)],
      { outcome: 'link', userId: 'ann' },
    ],
    [
      'is ambiguous for identities of two accounts',
      undefined,
      [by('ann', true), by('bob', true)],
      { outcome: 'ambiguous' },
    ],
    [
      'is ambiguous for addresses of two accounts',
      undefined,
      [by('ann', false), by('bob', false)],
      { outcome: 'ambiguous' },
    ],
  ])('%s', (_, owner, accounts, decision) => {
    expect(decideLinking([email('a@x.co')], owner, accounts, false)).toEqual(decision);
  });

  it('gives a new account the address in lower case, unless another account has it', () => {
    const emails = [email('B@x.co', true, false), email('A@x.co', false)];
    expect(decideLinking(emails, undefined, [], false)).toEqual({
      outcome: 'create',
      email: email('a@x.co', false),
    });
    expect(decideLinking(emails, undefined, [], true)).toEqual({ outcome: 'create', email: undefined });
  });
});

describe('addresses', () => {
  it('identify accounts only if verified', () => {
    expect(verifiedAddresses([email('A@x.co'), email('b@x.co', false)])).toEqual(['a@x.co']);
  });

  it.each([
    ['none', [], undefined],
    [
      'the first, without a primary one',
      [email('a@x.co', true, false), email('b@x.co', true, false)],
      'a@x.co',
    ],
    ['the primary one', [email('a@x.co', true, false), email('b@x.co')], 'b@x.co'],
  ])('have as candidate: %s', (_, emails, address) => {
    expect(candidateEmail(emails)?.address).toBe(address);
  });
});
