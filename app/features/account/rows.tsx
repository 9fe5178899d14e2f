/** Things of an account, one below the other, each with what can be done about it. */
import type { ReactNode } from 'react';

/** The list. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="grid divide-y divide-line rounded-control border border-line">
      {children}
    </ul>
  );
}

/** One thing. `below` is as wide as the row. */
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
