import { describe, expect, it } from 'vitest';
import { isVisible } from './committed.ts';

describe('isVisible', () => {
  it.each([
    ['one from before the oldest that runs', 4, '5:8:6', true],
    ['one that has ended while others run', 7, '5:8:6', true],
    ['one that still runs', 6, '5:8:5,6', false],
    ['one after the newest that has ended', 8, '5:8:', false],
    ['where nothing runs', 7, '8:8:', true],
    ['one of a later epoch', 7, '4294967301:4294967304:4294967302', true],
    ['a running one of a later epoch', 6, '4294967301:4294967304:4294967302', false],
    ['one from just before the epoch', 4_294_967_295, '4294967297:4294967298:', true],
    ['one from just after the epoch', 3, '4294967290:4294967295:', false],
  ])('knows %s', (_, xid, snapshot, expected) => {
    expect(isVisible(xid, snapshot)).toBe(expected);
  });
});
