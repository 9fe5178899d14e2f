/** The open queries, above the editor. */
import { formatNumber } from '../../../../lib/format/number.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import type { RunActions } from '../run/use-runs.ts';
import type { Draft } from './drafts.ts';
import type { DraftActions } from './use-drafts.ts';

const MAX_TITLE_CHARACTERS = 28;

/** Returns a function that names a query: by its name, its first line, or its place. */
function useDraftTitle(): (draft: Draft, index: number) => string {
  const { untitled } = useTexts(adminSqlTexts);
  const language = useLanguage();
  return ({ name, sql }, index) => {
    const [line = ''] = sql.trim().split('\n', 1);
    const short = line.length > MAX_TITLE_CHARACTERS ? `${line.slice(0, MAX_TITLE_CHARACTERS)}…` : line;
    return name || short || untitled(formatNumber(index + 1, language));
  };
}

/** Empty without scripts, where the page has one query. */
export function TabStrip({ drafts, runs }: { drafts: DraftActions; runs: RunActions }) {
  const texts = useTexts(adminSqlTexts);
  const titleOf = useDraftTitle();
  const { open, select, close, add } = drafts;
  return (
    <nav aria-label={texts.tabs} className="flex min-h-9 min-w-0 items-center gap-1">
      <ul className="scroll-row flex min-w-0 gap-1">
        {open?.drafts.map((draft, index) => {
          const title = titleOf(draft, index);
          const isActive = draft.id === open.active.id;
          return (
            <li
              key={draft.id}
              className="flex h-9 shrink-0 items-center rounded-control border border-transparent ps-1 pe-0.5
                has-aria-[current]:border-line has-aria-[current]:bg-surface"
            >
              <button
                type="button"
                aria-current={isActive ? 'true' : undefined}
                onClick={() => select(draft.id)}
                className="h-8 rounded-control px-2 text-small whitespace-nowrap text-ink-muted hover:text-ink
                  aria-[current]:text-ink"
              >
                {title}
                {isChanged(draft) && <span aria-hidden="true"> •</span>}
                {runs.stateOf(draft.id).kind === 'running' && (
                  <span className="sr-only"> {texts.running}</span>
                )}
              </button>
              <IconButton
                icon="close"
                size="small"
                label={texts.closeTab(title)}
                onClick={() => close(draft.id)}
              />
            </li>
          );
        })}
      </ul>
      {open && <IconButton icon="lucide:plus" label={texts.newTab} onClick={() => add()} />}
    </nav>
  );
}

/** Whether a saved query has changes that are not saved. */
function isChanged({ saved, sql }: Draft): boolean {
  return saved !== undefined && saved.sql !== sql;
}
