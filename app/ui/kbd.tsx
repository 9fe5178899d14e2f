/** A key of the keyboard. */
import type { ReactNode } from 'react';

/** One key; each key of a combination gets its own. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd
      className="inline-flex h-5 min-w-5 items-center justify-center rounded-[0.3125rem] border border-line-strong
        bg-sunken px-1 font-sans text-caption text-ink-muted"
    >
      {children}
    </kbd>
  );
}
