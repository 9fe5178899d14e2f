/** Buttons, and links that look like them. */
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-lg px-3.5 text-sm font-medium whitespace-nowrap select-none ' +
  'transition-colors duration-150 aria-disabled:opacity-60';

const LOOKS = {
  primary: 'bg-solid text-on-solid shadow-xs hover:bg-solid-hover',
  secondary: 'border border-line-strong bg-surface text-ink shadow-xs hover:bg-sunken',
  ghost: 'text-ink-muted hover:bg-sunken hover:text-ink',
} as const;

/** Height in Tailwind's steps: 9 in rows of things, 10 in forms. */
const SIZES = { small: 'h-8 px-3', medium: 'h-9', large: 'h-10' } as const;

/** How a button looks. */
export interface ButtonLook {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
}

/** Class names of a button, for what cannot be one of the components below. */
export function buttonClass({ look = 'secondary', size = 'medium' }: ButtonLook, more = ''): string {
  return `${SHAPE} ${LOOKS[look]} ${SIZES[size]} ${more}`;
}

/** A button. While `isPending` it shows that it works and does nothing, but keeps the focus. */
export function Button({
  look,
  size,
  isPending = false,
  className,
  children,
  ...props
}: ComponentProps<'button'> & ButtonLook & { isPending?: boolean }) {
  return (
    <button
      {...props}
      className={buttonClass({ look, size } as ButtonLook, className)}
      aria-disabled={isPending || undefined}
      onClick={isPending ? (event) => event.preventDefault() : props.onClick}
    >
      {isPending && <Spinner />}
      {children}
    </button>
  );
}

/** A link within the app that looks like a button. */
export function ButtonLink({ look, size, className, ...props }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link {...props} className={buttonClass({ look, size } as ButtonLook, className)} />;
}

function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-none"
    />
  );
}
