/** A group of related content with its own heading. */
import { type ReactNode, useId } from 'react';

interface CardProps {
  title: string;
  /** 3 for a card inside a section that has its own heading. */
  headingLevel?: 2 | 3;
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
export function Card({ title, headingLevel = 2, description, actions, footer, children }: CardProps) {
  const id = useId();
  const Heading = `h${headingLevel}` as const;
  return (
    <section aria-labelledby={id} className="card overflow-hidden">
      <header className="flex min-h-14 items-center justify-between gap-4 border-b border-line px-5 py-3">
        <div className="min-w-0">
          <Heading id={id} className="text-body font-semibold tracking-tight">
            {title}
          </Heading>
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
