/** The column of a page's content. */
import type { ReactNode } from 'react';

/** Blocks in a column, with a uniform gap. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-page grid-cols-1 content-start gap-6 px-4 py-6 sm:px-8 sm:py-10 lg:gap-8">
      {children}
    </div>
  );
}
