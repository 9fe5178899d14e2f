import { describe, expect, it } from 'vitest';
import { candidateEmail, decideLinking, provenAddresses } from './linking.ts';
import type { ProfileEmail } from './profile.ts';

const email = (address: string, isVerified = true, isPrimary = true): ProfileEmail => ({
  address,
  isVerified,
  isPrimary,
});
const by = (id: string, byIdentity: boolean) => ({ id, byIdentity });

describe('an identity', () => {
  it.each([
    ['of somebody', 'ann', [by('bob', true)], { outcome: 'exists', userId: 'ann' }],
    ['with the address of one account', undefined, [by('ann', false)], { outcome: 'link', userId: 'ann' }],
    [
      'with the address of one identity',
      undefined,
      [by('ann', true), by('bob', false)],
      { outcome: 'link', userId: 'ann' },
    ],
    [
      'with two addresses of one account',
      undefined,
      [by('ann', true), by('ann', true)],
      { outcome: 'link', userId: 'ann' },
    ],
    [
      'with the addresses of two identities',
      undefined,
      [by('ann', true), by('bob', true)],
      { outcome: 'ambiguous' },
    ],
    [
      'with the addresses of two accounts',
      undefined,
      [by('ann', false), by('bob', false)],
      { outcome: 'ambiguous' },
    ],
  ])('%s', (_, owner, accounts, decision) => {
    expect(decideLinking([email('a@x.co')], owner, accounts, false)).toEqual(decision);
  });

  it("of somebody new gets its address, in lower case, unless that is somebody's", () => {
    const emails = [email('B@x.co', true, false), email('A@x.co', false)];
    expect(decideLinking(emails, undefined, [], false)).toEqual({
      outcome: 'create',
      email: email('a@x.co', false),
    });
    expect(decideLinking(emails, undefined, [], true)).toEqual({ outcome: 'create', email: undefined });
  });
});

describe('addresses', () => {
  it('prove something if they are verified', () => {
    expect(provenAddresses([email('A@x.co'), email('b@x.co', false)])).toEqual(['a@x.co']);
  });

  it.each([
    ['none', [], undefined],
    [
      'the first, without a primary one',
      [email('a@x.co', true, false), email('b@x.co', true, false)],
      'a@x.co',
    ],
    ['the primary one', [email('a@x.co', true, false), email('b@x.co')], 'b@x.co'],
  ])('have a candidate: %s', (_, emails, address) => {
    expect(candidateEmail(emails)?.address).toBe(address);
  });
});
