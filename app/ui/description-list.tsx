/** Details of an object: labels on the left, values on the right. */
import type { ReactNode } from 'react';

/** Rows separated by lines; for a card. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line px-5 text-body">{children}</dl>;
}

/** One row. On a phone, the value is below the label. */
export function DescriptionItem({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 py-3 sm:grid-cols-[7.25rem_minmax(0,1fr)]">
      <dt className="text-ink-muted hyphens-auto">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
