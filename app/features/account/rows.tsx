/** A list of the account's objects with their actions. */
import type { ReactNode } from 'react';

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="grid divide-y divide-line rounded-control border border-line">
      {children}
    </ul>
  );
}

/** One object. `below` has the full width of the row. */
export function RowItem(props: { actions?: ReactNode; below?: ReactNode; children: ReactNode }) {
  const { actions, below, children } = props;
  return (
    <li className="grid gap-3 px-3.5 py-2.5 text-body">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
        {actions && <div className="flex shrink-0 flex-wrap gap-2">{actions}</div>}
      </div>
      {below}
    </li>
  );
}
