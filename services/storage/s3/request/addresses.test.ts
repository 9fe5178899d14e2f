import { expect, it } from 'vitest';
import { addressesOf } from './addresses.ts';

const URL = 'https://api.example/base/';
const OWN = { host: 'api.example', pathPrefix: '/base' };

it('returns the received host, the forwarded hosts and the external URL', () => {
  const headers = { host: ['inner:1'], 'x-forwarded-host': ['outer, other'], 'x-forwarded-prefix': ['/p//'] };
  expect(addressesOf(headers, URL)).toEqual([
    { host: 'inner:1', pathPrefix: '' },
    { host: 'outer', pathPrefix: '' },
    { host: 'inner:1', pathPrefix: '/p' },
    { host: 'outer', pathPrefix: '/p' },
    OWN,
  ]);
});

it('ignores a prefix of more than 1,024 characters', () => {
  const prefix = `${'/'.repeat(120_000)}x`;
  expect(addressesOf({ host: ['inner'], 'x-forwarded-prefix': [prefix] }, URL)).toEqual([
    { host: 'inner', pathPrefix: '' },
    OWN,
  ]);
});
