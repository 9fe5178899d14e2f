/** Buttons, and links that look like buttons. */
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

const SHAPE =
  'relative inline-flex shrink-0 items-center justify-center gap-2 overflow-hidden rounded-control font-medium ' +
  'whitespace-nowrap select-none transition-[color,background-color,border-color,scale] active:scale-[0.985] ' +
  'disabled:opacity-50 aria-disabled:cursor-default aria-disabled:active:scale-100';

const VARIANTS = {
  primary: 'bg-solid text-on-solid shadow-low hover:bg-solid-hover',
  secondary: 'border border-line-strong bg-surface text-ink shadow-low hover:bg-surface-hover',
  ghost: 'text-ink-muted hover:bg-hover hover:text-ink',
  danger: 'bg-danger-solid text-on-danger shadow-low hover:bg-danger-solid-hover',
} as const;

/** 32 px in rows, 36 px on pages, 40 px in forms (44 px on touch screens). */
const SIZES = {
  small: 'h-8 px-3 text-small',
  medium: 'h-9 px-3.5 text-body',
  large: 'h-11 px-4 text-body sm:h-10',
} as const;

/** The variant of a button. A view has one primary button: its main action. */
interface ButtonStyle {
  variant?: keyof typeof VARIANTS | undefined;
  size?: keyof typeof SIZES | undefined;
}

/** Returns the class names of a button, for elements that cannot use the components below. */
export function buttonClass({ variant = 'secondary', size = 'medium' }: ButtonStyle, more = ''): string {
  return `${SHAPE} ${VARIANTS[variant]} ${SIZES[size]} ${more}`;
}

/** A button. While `isPending`, it shows a progress bar and ignores clicks, but keeps the focus. */
export function Button({
  variant,
  size,
  isPending = false,
  className,
  children,
  ...props
}: ComponentProps<'button'> & ButtonStyle & { isPending?: boolean }) {
  return (
    <button
      {...props}
      className={buttonClass({ variant, size }, className)}
      aria-disabled={isPending || undefined}
      onClick={isPending ? (event) => event.preventDefault() : props.onClick}
    >
      {children}
      {isPending && <span aria-hidden="true" className="pending-bar" />}
    </button>
  );
}

/** A link within the app that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...props
}: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link {...props} className={buttonClass({ variant, size }, className)} />;
}
