/** The header of a page: its title, one sentence, and its actions. */
import type { ReactNode } from 'react';

/** `title` is the page's only first-level heading; `titleId` lets it label a section. */
export function PageHeader(props: {
  title: string;
  titleId?: string;
  description?: ReactNode;
  /** Shown before the title. */
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
