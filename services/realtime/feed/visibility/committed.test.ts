import { describe, expect, it } from 'vitest';
import { isVisible } from './committed.ts';

describe('isVisible', () => {
  it.each([
    ['a transaction before the oldest running one', 4, '5:8:6', true],
    ['a transaction that has ended while others run', 7, '5:8:6', true],
    ['a running transaction', 6, '5:8:5,6', false],
    ['a transaction after the newest that has ended', 8, '5:8:', false],
    ['a transaction while no other runs', 7, '8:8:', true],
    ['a transaction of a later epoch', 7, '4294967301:4294967304:4294967302', true],
    ['a running transaction of a later epoch', 6, '4294967301:4294967304:4294967302', false],
    ['a transaction just before a new epoch', 4_294_967_295, '4294967297:4294967298:', true],
    ['a transaction just after a new epoch', 3, '4294967290:4294967295:', false],
  ])('returns $3 for %s', (_, xid, snapshot, expected) => {
    expect(isVisible(xid, snapshot)).toBe(expected);
  });
});
