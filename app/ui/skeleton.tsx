/** Placeholders with the size of the content that is loading, to avoid layout shifts. */
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { WHOLE_PARAMETER } from '../lib/page/whole-page.ts';
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { TEXT_LINK_CLASS } from './text-link.tsx';

/** A bar or a disc. `className` sets its size. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`shimmering block rounded-md bg-line ${className}`} />;
}

/**
 * Wraps skeletons: announces to screen readers once that content is loading. Scripts insert content that is
 * streamed later; without scripts, a link requests the whole page.
 */
export function Loading({ label, children }: { label?: string; children: ReactNode }) {
  const texts = useTexts(uiTexts);
  const { search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.set(WHOLE_PARAMETER, '');
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        {label ?? texts.loading}
      </p>
      {children}
      <p className="hidden pt-3 text-small noscript:block">
        <a className={TEXT_LINK_CLASS} href={`?${parameters}`}>
          {texts.loadWholePage}
        </a>
      </p>
    </div>
  );
}

/** Placeholder for a card of facts. */
export function CardSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className="card overflow-hidden">
      <div className="flex h-14 items-center border-b border-line px-5">
        <Skeleton className="h-4 w-28" />
      </div>
      <div className="divide-y divide-line px-5">
        {lines(rows).map((line) => (
          <div key={line} className="grid gap-2 py-4 sm:grid-cols-[10rem_1fr] sm:gap-4">
            <Skeleton className="h-3.5 w-20" />
            <Skeleton className="h-3.5 w-full max-w-64" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Placeholder for a table: a disc, two lines and a few columns. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="card overflow-hidden">
      <div className="hidden h-9 border-b border-line bg-sunken md:block" />
      <div className="divide-y divide-line">
        {lines(rows).map((line) => (
          <div key={line} className="flex items-center gap-3 px-4 py-3">
            <Skeleton className="size-8 rounded-full!" />
            <span className="grid flex-1 gap-2">
              <Skeleton className="h-3.5 w-48 max-w-full" />
              <Skeleton className="h-2.5 w-64 max-w-full" />
            </span>
            <Skeleton className="hidden h-3.5 w-16 md:block" />
            <Skeleton className="hidden h-3.5 w-20 md:block" />
            <Skeleton className="hidden h-3.5 w-32 md:block" />
          </div>
        ))}
      </div>
    </div>
  );
}

function lines(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
