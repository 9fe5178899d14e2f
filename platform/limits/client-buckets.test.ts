import { describe, expect, it } from 'vitest';
import { createClientBuckets } from './client-buckets.ts';
import { clientKeys } from './client-keys.ts';

const RULE = { perSecond: 1, burst: 8 };

function acceptedFrom(addresses: readonly string[]): number {
  const buckets = createClientBuckets(RULE);
  return addresses.filter((address) => buckets.take(clientKeys({ address }), 0)).length;
}

describe('createClientBuckets', () => {
  it('counts one IPv6 /48 as one client', () => {
    const addresses = Array.from({ length: 100 }, (_, n) => `2001:db8:1:${n.toString(16)}00::1`);
    expect(acceptedFrom(addresses)).toBe(8);
  });

  it('gives a /56 three quarters of the rule and a /64 half of it', () => {
    expect(acceptedFrom(Array.from({ length: 100 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`))).toBe(6);
    expect(acceptedFrom(Array.from({ length: 100 }, (_, n) => `2001:db8:1:2::${n.toString(16)}`))).toBe(4);
  });

  it('leaves the rest of a /48 to other networks after one /64 was rejected', () => {
    const flood = Array.from({ length: 100 }, () => '2001:db8:1:1::1');
    expect(acceptedFrom([...flood, '2001:db8:1:8800::1', '2001:db8:1:9900::1'])).toBe(6);
  });

  it('counts each account and each IPv4 address separately', () => {
    const buckets = createClientBuckets({ perSecond: 1, burst: 1 });
    const keys = [
      clientKeys({ account: 'a', address: '203.0.113.7' }),
      clientKeys({ account: 'b', address: '203.0.113.7' }),
      clientKeys({ address: '203.0.113.7' }),
      clientKeys({ account: 'a', address: '203.0.113.8' }),
    ];
    expect(keys.map((each) => buckets.take(each, 0))).toEqual([true, true, true, false]);
  });

  it('does not limit a client without keys', () => {
    const buckets = createClientBuckets({ perSecond: 1, burst: 1 });
    expect([buckets.take([], 0), buckets.take([], 0), buckets.waitMs([], 0)]).toEqual([true, true, 0]);
  });

  it('returns the waiting time of the most limited key, and accepts refunds', () => {
    const buckets = createClientBuckets({ perSecond: 2, burst: 1 });
    const keys = clientKeys({ address: '2001:db8::1' });
    expect(buckets.waitMs(keys, 0)).toBe(0);
    buckets.take(keys, 0);
    expect(buckets.waitMs(keys, 0)).toBe(1000);
    buckets.refund(keys, 0);
    expect(buckets.take(keys, 0)).toBe(true);
  });
});
