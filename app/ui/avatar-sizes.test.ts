import { describe, expect, it } from 'vitest';
import * as CONSTANTS from '../constants.ts';
import { AVATAR_SIZES, type AvatarSize } from './avatar-sizes.ts';

describe('AVATAR_SIZES', () => {
  it.each(Object.entries(CONSTANTS.avatar) as [AvatarSize, number][])(
    'has for %s a side of %d px',
    (size, pixels) => {
      expect(AVATAR_SIZES[size]).toBe(`size-[${pixels}px] text-[${pixels / 2}px]`);
    },
  );

  it('has no other size', () => {
    expect(Object.keys(AVATAR_SIZES)).toEqual(Object.keys(CONSTANTS.avatar));
  });
});
