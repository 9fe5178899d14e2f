import { describe, expect, it } from 'vitest';
import { isLoopback, networksOf, widestNetworkOf } from './network.ts';

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:127.0.0.1', true],
    ['10.0.0.1', false],
    ['1.127.0.0', false],
    ['2001:db8::1', false],
    ['::ffff:203.0.113.7', false],
    ['127.0.0.1.evil.example', false],
    ['127.example.org', false],
    ['', false],
  ])('returns for %s: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});

describe('networksOf', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:2ff:3:4:5:6', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
    ['2001:0DB8:0001:0002::9', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
    ['64:ff9b::203.0.113.7', ['64:ff9b:0:0::/64', '64:ff9b:0:0::/56', '64:ff9b:0::/48']],
    ['not an address', ['not an address']],
  ])('returns for %s: %j', (address, expected) => {
    expect(networksOf(address)).toEqual(expected);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::4', '2001:db8:1::/48'],
])('returns for %s the widest network %s', (address, network) => {
  expect(widestNetworkOf(address)).toBe(network);
});
