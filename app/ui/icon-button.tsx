/** A button that shows only a sign. Its name is for those who cannot see it, and for a tooltip around it. */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

const SIZES = {
  small: 'size-7 [&_svg]:size-4',
  medium: 'size-8 [&_svg]:size-4.5',
} as const;

/** Props of an {@link IconButton}: those of a button, with a name instead of children. */
export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: IconName;
  /** What it does, for example `Copy user id`. */
  label: string;
  size?: keyof typeof SIZES;
}

/** See the head of this file. */
export function IconButton({ icon, label, size = 'medium', className = '', ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      {...props}
      aria-label={label}
      className={`inline-flex shrink-0 items-center justify-center rounded-control text-ink-muted transition-colors
        hover:bg-hover hover:text-ink disabled:opacity-50 ${SIZES[size]} ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
