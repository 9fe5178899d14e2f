/** Tells a visitor who returns to the page that statements are still running. */
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import type { DraftActions } from '../drafts/use-drafts.ts';
import type { RunActions } from '../run/use-runs.ts';
import { usePath } from '../use-path.ts';
import type { HistoryPage } from './history-run.ts';
import { showRun } from './show-run.ts';
import { useLoaded } from './use-loaded.ts';

/** Empty without such statements, and after they are shown. */
export function RunningNotice({ drafts, runs }: { drafts: DraftActions; runs: RunActions }) {
  const texts = useTexts(sqlLibraryTexts).history;
  const path = usePath();
  const [loaded] = useLoaded<HistoryPage>(path('/admin/sql/runs'));
  const shownIds = new Set(
    drafts.open?.drafts.map(({ id }) => runs.stateOf(id)).map((state) => ('id' in state ? state.id : '')),
  );
  const running = (loaded.kind === 'loaded' ? loaded.value.runs : []).filter(
    (run) => run.is_running && !shownIds.has(run.id),
  );
  const [first] = running;
  if (!first || !drafts.open) return null;
  return (
    <Alert kind="info" title={texts.runningHere(running.length)}>
      <span className="block truncate font-mono text-small">{first.sql}</span>
      <Button type="button" size="small" className="mt-2" onClick={() => showRun(first, { drafts, runs })}>
        {texts.showRunning}
      </Button>
    </Alert>
  );
}
