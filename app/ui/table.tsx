/** A table. Its header is sticky, and a table that is too wide scrolls inside of its card. */
import type { ComponentProps, ReactNode } from 'react';

/** `caption` is the accessible name of the table. */
export function Table({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
    <section aria-label={caption} tabIndex={0} className="card max-h-[34rem] overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-body">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="sticky top-0 z-(--layer-stuck)">
      <tr>{children}</tr>
    </thead>
  );
}

export function Heading({ children, className = '', ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      {...props}
      className={`border-b border-line bg-sunken px-4 py-2 text-start text-caption font-medium whitespace-nowrap
        text-ink-muted ${className}`}
    >
      {children}
    </th>
  );
}

/** A row with a hover colour; a selected row is highlighted. */
export function Row({ isSelected, children }: { isSelected?: boolean; children: ReactNode }) {
  return (
    <tr
      data-selected={isSelected || undefined}
      className="group transition-colors hover:bg-hover data-selected:bg-primary-wash"
    >
      {children}
    </tr>
  );
}

export function RowHeading({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className={`${CELL} text-start font-medium`}>
      {children}
    </th>
  );
}

export function Cell({ children, className = '', ...props }: ComponentProps<'td'>) {
  return (
    <td {...props} className={`${CELL} ${className}`}>
      {children}
    </td>
  );
}

const CELL = 'border-b border-line px-4 py-2.5 group-last:border-b-0';
