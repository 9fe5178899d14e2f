/** The history of the administrator, with runs that are still running. */
import { type ReactElement, useState } from 'react';
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Badge, type BadgeTone } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Field } from '../../../../ui/field.tsx';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { Sheet } from '../../../../ui/sheet.tsx';
import type { DraftActions } from '../drafts/use-drafts.ts';
import { formatMs } from '../format-ms.ts';
import { postForm } from '../run/sql-api.ts';
import type { RunActions } from '../run/use-runs.ts';
import { usePath } from '../use-path.ts';
import type { HistoryPage, HistoryRun } from './history-run.ts';
import { PanelState } from './panel-state.tsx';
import { showRun } from './show-run.ts';
import { useLoaded } from './use-loaded.ts';

/** Props of {@link HistorySheet}. */
interface HistorySheetProps {
  open: boolean;
  onOpenChange(isOpen: boolean): void;
  trigger: ReactElement;
  drafts: DraftActions;
  runs: RunActions;
  onDone(): void;
}

type ListProps = Pick<HistorySheetProps, 'drafts' | 'runs' | 'onDone'>;

/** Loads the history whenever it opens. */
export function HistorySheet({ drafts, runs, onDone, ...sheet }: HistorySheetProps) {
  const texts = useTexts(sqlLibraryTexts);
  return (
    <Sheet {...sheet} title={texts.history.title} description={texts.history.text}>
      <HistoryList drafts={drafts} runs={runs} onDone={onDone} />
    </Sheet>
  );
}

function HistoryList({ drafts, runs, onDone }: ListProps) {
  const texts = useTexts(sqlLibraryTexts).history;
  const path = usePath();
  const [search, setSearch] = useState('');
  const [before, setBefore] = useState('');
  const [loaded, reload] = useLoaded<HistoryPage>(
    path(`/admin/sql/runs?${new URLSearchParams({ search, before })}`),
  );
  const clear = () => postForm(path('/admin/sql/runs'), { intent: 'clear' }).then(reload, reload);
  return (
    <div className="grid gap-3">
      <Field
        type="search"
        label={texts.search}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setBefore('');
        }}
      />
      {loaded.kind !== 'loaded' ? (
        <PanelState loaded={loaded} onRetry={reload} />
      ) : (
        <>
          {loaded.value.runs.length === 0 && (
            <EmptyState icon="lucide:history" title={texts.empty} level={3} />
          )}
          <ul className="grid divide-y divide-line">
            {loaded.value.runs.map((run) => (
              <HistoryItem key={run.id} run={run} drafts={drafts} runs={runs} onDone={onDone} />
            ))}
          </ul>
          <div className="flex flex-wrap justify-between gap-2">
            {!loaded.value.isLast && (
              <Button
                type="button"
                size="small"
                onClick={() => setBefore(loaded.value.runs.at(-1)?.number ?? '')}
              >
                {texts.more}
              </Button>
            )}
            <Button type="button" size="small" variant="ghost" onClick={() => void clear()}>
              {texts.clear}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

const TONES: Record<string, BadgeTone> = {
  done: 'primary',
  failed: 'danger',
  running: 'info',
  started: 'neutral',
};

function HistoryItem({ run, drafts, runs, onDone }: ListProps & { run: HistoryRun }) {
  const texts = useTexts(sqlLibraryTexts).history;
  const results = useTexts(sqlResultTexts);
  const language = useLanguage();
  const outcome = run.is_running ? 'running' : run.outcome;
  return (
    <li className="grid gap-1.5 py-2.5">
      <div className="flex flex-wrap items-center gap-2 text-caption text-ink-muted">
        <Badge tone={TONES[outcome] ?? 'neutral'}>{texts.outcomes[outcome]}</Badge>
        <LocalTime seconds={Math.floor(Date.parse(run.started_at) / 1000)} />
        {run.duration_ms !== null && results.milliseconds(formatMs(run.duration_ms, language))}
        {run.role !== 'postgres' && <span className="font-mono">{run.role}</span>}
      </div>
      <pre className="line-clamp-4 font-mono text-small [overflow-wrap:anywhere] whitespace-pre-wrap">
        {run.sql}
      </pre>
      {run.error && <p className="text-caption text-danger-ink">{run.error}</p>}
      <div className="flex gap-2">
        <Button
          type="button"
          size="small"
          onClick={() => {
            drafts.add({ sql: run.sql });
            onDone();
          }}
        >
          {texts.open}
        </Button>
        {(run.is_running || run.has_result) && (
          <Button
            type="button"
            size="small"
            onClick={() => {
              showRun(run, { drafts, runs });
              onDone();
            }}
          >
            {texts.show}
          </Button>
        )}
      </div>
    </li>
  );
}
