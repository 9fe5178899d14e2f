/** The head of a page: its title, one sentence, and what can be done on it. */
import type { ReactNode } from 'react';

/** `title` is the page's one heading of the first level; `titleId` lets a section be named by it. */
export function PageHeader(props: {
  title: string;
  titleId?: string;
  description?: ReactNode;
  /** Stands before the title. */
  sign?: ReactNode;
  actions?: ReactNode;
}) {
  const { title, titleId, description, sign, actions } = props;
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="flex min-w-0 items-center gap-4">
        {sign}
        <div className="min-w-0">
          <h1 id={titleId} className="text-heading font-semibold">
            {title}
          </h1>
          {description && <p className="text-body text-ink-muted [overflow-wrap:anywhere]">{description}</p>}
        </div>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
