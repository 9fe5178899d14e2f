/** A button with only an icon. Its name is for screen readers, and for a tooltip around it. */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

const SIZES = {
  small: 'size-7 [&_svg]:size-4',
  medium: 'size-8 [&_svg]:size-4.5',
} as const;

/** Props of an {@link IconButton}: those of a button, with a label instead of children. */
export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: IconName;
  /** The button's action, for example `Copy user ID`. */
  label: string;
  size?: keyof typeof SIZES;
}

/** A button with an icon and an accessible name. */
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
