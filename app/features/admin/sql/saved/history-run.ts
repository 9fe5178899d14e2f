/** A run of the history, as the browser receives it. */
import type { RecordedRun } from '../../../../session/meta-queries.server.ts';

/** A run, and whether it is still running. */
export interface HistoryRun extends RecordedRun {
  is_running: boolean;
  has_result: boolean;
}

/** A page of the history. */
export interface HistoryPage {
  runs: HistoryRun[];
  isLast: boolean;
}
