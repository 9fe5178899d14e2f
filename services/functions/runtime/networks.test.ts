/** Networks that remain closed when others are opened. */
import { expect, it } from 'vitest';
import { withoutNetworks } from './networks.ts';

it.each([
  ['nothing', [], ['10.0.0.0/8', '192.168.0.0/16']],
  ['a whole network', ['10.0.0.0/8'], ['192.168.0.0/16']],
  ['a larger network', ['192.0.0.0/8'], ['10.0.0.0/8']],
  ['a half', ['192.168.128.0/17'], ['10.0.0.0/8', '192.168.0.0/17']],
  ['another network', ['172.16.0.0/12'], ['10.0.0.0/8', '192.168.0.0/16']],
  ['addresses that are not the first of their network', ['10.9.8.7/8'], ['192.168.0.0/16']],
])('without %s', (_title, removed, expected) => {
  expect(withoutNetworks(['10.0.0.0/8', '192.168.0.0/16'], removed)).toEqual(expected);
});

it('without one address, all others of the network remain', () => {
  const remaining = withoutNetworks(['10.0.0.0/8'], ['10.1.2.3']);
  expect(remaining).toHaveLength(24);
  expect(remaining).toEqual(expect.arrayContaining(['10.128.0.0/9', '10.1.2.2/32', '10.1.2.0/31']));
});
