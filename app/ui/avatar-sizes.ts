/** Class names of the avatar sizes. The lengths are those of the constants; a test compares them. */
import type * as CONSTANTS from '../constants.ts';

export type AvatarSize = keyof typeof CONSTANTS.avatar;

/**
 * Initials are half as high as the avatar. The class names are written out, because Tailwind finds them by
 * scanning the sources.
 */
export const AVATAR_SIZES: Readonly<Record<AvatarSize, string>> = {
  '3xs': 'size-[16px] text-[8px]',
  '2xs': 'size-[20px] text-[10px]',
  xs: 'size-[24px] text-[12px]',
  sm: 'size-[28px] text-[14px]',
  md: 'size-[32px] text-[16px]',
  lg: 'size-[36px] text-[18px]',
  xl: 'size-[40px] text-[20px]',
  '2xl': 'size-[44px] text-[22px]',
  '3xl': 'size-[48px] text-[24px]',
};
