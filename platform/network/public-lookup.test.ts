import { expect, it } from 'vitest';
import { createLookup, PrivateAddressError } from './public-lookup.ts';

const resolve = (isAllowed: (address: string) => boolean) =>
  new Promise((done) =>
    createLookup(isAllowed)('localhost', { all: true }, (error, addresses) => done(error ?? addresses)),
  );

it('a name is resolved for a connection if all of its addresses are allowed', async () => {
  expect(await resolve(() => true)).toContainEqual({
    address: expect.stringMatching(/^(127\.|::1$)/),
    family: expect.any(Number),
  });
});

it('a name with an address that is not allowed is not resolved', async () => {
  expect(await resolve((address) => !/^(127\.|::1$)/.test(address))).toBeInstanceOf(PrivateAddressError);
});
