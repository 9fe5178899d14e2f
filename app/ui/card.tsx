/** A group of related content with its own heading. */
import { type ReactNode, useId } from 'react';

interface CardProps {
  title: string;
  description?: ReactNode;
  /** Actions for the whole content; shown at the end of the heading's row. */
  actions?: ReactNode;
  /** Shown below the content on a muted background. */
  footer?: ReactNode;
  children: ReactNode;
}

/**
 * A section with heading, content and footer. The content has its own padding, so that lists and tables
 * reach the edges.
 */
export function Card({ title, description, actions, footer, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card overflow-hidden">
      <header className="flex min-h-14 items-center justify-between gap-4 border-b border-line px-5 py-3">
        <div className="min-w-0">
          <h2 id={id} className="text-body font-semibold tracking-tight">
            {title}
          </h2>
          {description && <p className="text-small text-ink-muted">{description}</p>}
        </div>
        {actions && <div className="flex shrink-0 gap-2">{actions}</div>}
      </header>
      {children}
      {footer && (
        <footer className="border-t border-line bg-sunken px-5 py-3 text-small text-ink-muted">
          {footer}
        </footer>
      )}
    </section>
  );
}
