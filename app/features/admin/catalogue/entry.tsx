/** The layout of the catalogue: groups of entries, each with an anchor, a description and examples. */
import type { ReactNode } from 'react';

/** A group with a heading. */
export function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-5">
      <h2 id={id} className="scroll-mt-28 border-b border-line pb-2 text-title font-semibold lg:scroll-mt-6">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** One component. `name` is its name in the code. `isWide` gives the examples the whole width. */
export function Entry(props: { name: string; description: string; isWide?: boolean; children: ReactNode }) {
  const { name, description, isWide = false, children } = props;
  const id = name.toLowerCase();
  return (
    <section aria-labelledby={id} className="grid gap-x-8 gap-y-3 xl:grid-cols-[13rem_minmax(0,1fr)]">
      <header>
        <h3 id={id} className="scroll-mt-28 font-mono text-small font-medium lg:scroll-mt-6">
          <a href={`#${id}`} className="rounded-sm hover:underline">
            {name}
          </a>
        </h3>
        <p className="mt-1 text-small text-ink-muted">{description}</p>
      </header>
      <div
        className={
          isWide
            ? 'grid min-w-0 content-start gap-4'
            : 'flex min-w-0 flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-5'
        }
      >
        {children}
      </div>
    </section>
  );
}
