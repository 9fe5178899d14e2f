/** The reason why the list of lines is empty. */
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { isFiltered, type LineSelection, linesPath } from './selection.ts';

/** `not-kept`: the settings keep no log. */
export function NoLines(props: { kind: 'not-kept' } | { kind: 'none'; selection: LineSelection }) {
  const texts = useTexts(adminLogsTexts);
  return (
    <div className="card">
      {props.kind === 'not-kept' && (
        <EmptyState icon="info" title={texts.notKeptTitle} text={texts.notKeptText} />
      )}
      {props.kind === 'none' && isFiltered(props.selection) && (
        <EmptyState icon="search" title={texts.noMatches} text={texts.noMatchesText}>
          <ButtonLink to={linesPath()}>{texts.search.reset}</ButtonLink>
        </EmptyState>
      )}
      {props.kind === 'none' && !isFiltered(props.selection) && (
        <EmptyState icon="lucide:scroll-text" title={texts.emptyTitle} text={texts.emptyText} />
      )}
    </div>
  );
}
