/** Navigation through the pages of a long list. */
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { ButtonLink } from './button.tsx';

interface PaginationProps {
  /** Accessible name, for example `Pages of users`. */
  label: string;
  /** The part of the list that is shown, for example `51–100 of 312`. */
  range: string;
  page: number;
  lastPage: number;
  /** Returns the URL of a page. */
  pathOf(page: number): string;
}

/**
 * On the first and last page, the missing link is replaced by a disabled one, so that the other keeps its
 * position.
 */
export function Pagination({ label, range, page, lastPage, pathOf }: PaginationProps) {
  const texts = useTexts(uiTexts);
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-4">
      <p className="text-small text-ink-muted tabular-nums">{range}</p>
      {lastPage > 1 && (
        <div className="flex gap-2">
          <PageLink label={texts.previous} to={page > 1 ? pathOf(page - 1) : undefined} />
          <PageLink label={texts.next} to={page < lastPage ? pathOf(page + 1) : undefined} />
        </div>
      )}
    </nav>
  );
}

function PageLink({ label, to }: { label: string; to: string | undefined }) {
  if (to === undefined) {
    return (
      <span
        aria-hidden="true"
        className="inline-flex h-8 items-center rounded-control border border-line px-3 text-small font-medium text-ink-faint opacity-60"
      >
        {label}
      </span>
    );
  }
  return (
    <ButtonLink to={to} size="small">
      {label}
    </ButtonLink>
  );
}
