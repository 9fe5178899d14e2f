/** A person's round sign: initials on a quiet ground. */
import { initialsOf } from './initials.ts';

/** Side lengths from 16 to 48 px; letters are half as high. */
const SIZES = {
  '3xs': 'size-4 text-[8px]',
  '2xs': 'size-5 text-[10px]',
  xs: 'size-6 text-[12px]',
  sm: 'size-7 text-[14px]',
  md: 'size-8 text-[16px]',
  lg: 'size-9 text-[18px]',
  xl: 'size-10 text-[20px]',
  '2xl': 'size-11 text-[22px]',
  '3xl': 'size-12 text-[24px]',
} as const;

/** Decorates: the name stands beside it. */
export function Avatar({ name, size = 'md' }: { name: string; size?: keyof typeof SIZES }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full bg-primary-wash font-medium
        text-primary-ink ring-1 ring-line select-none ${SIZES[size]}`}
    >
      {initialsOf(name)}
    </span>
  );
}
