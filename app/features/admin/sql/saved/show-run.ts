/** Shows an earlier run that is still running, or whose result is stored. */
import type { DraftActions } from '../drafts/use-drafts.ts';
import type { RunActions } from '../run/use-runs.ts';
import type { HistoryRun } from './history-run.ts';

/** Shows it in the open query with the same SQL, or else in a new one. */
export function showRun(
  { id, sql, started_at: startedAt }: HistoryRun,
  { drafts, runs }: { drafts: DraftActions; runs: RunActions },
): void {
  const known = drafts.open?.drafts.find(
    (draft) => draft.sql.includes(sql) && runs.stateOf(draft.id).kind !== 'running',
  );
  const draftId = known?.id ?? drafts.add({ sql });
  if (known) drafts.select(known.id);
  const offset = known?.sql.indexOf(sql) ?? 0;
  runs.follow(draftId, { id, origin: { sql, offset, mode: 'run' }, startedAt: Date.parse(startedAt) });
}
