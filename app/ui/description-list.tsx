/** Facts about one thing: what it is called on the left, what it is on the right. */
import type { ReactNode } from 'react';

/** Rows with a line between them; for a card. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line px-5 text-body">{children}</dl>;
}

/** One fact. On a phone the two stand one above the other. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 py-3 sm:grid-cols-[7.25rem_minmax(0,1fr)]">
      <dt className="text-ink-muted hyphens-auto">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
