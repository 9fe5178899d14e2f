/** What the server answers about a run. */
import type { RunResult } from '../../../../session/meta-client.server.ts';

/** The end of a run: its results, or the reason for which it did not run. */
export type RunEnding =
  | {
      kind: 'ran';
      result: RunResult;
      /** Path of the migration file; null if the run has none. */
      migration: string | null;
    }
  | { kind: 'refused'; code: string; message: string };

/** The state of a run. `lost`: its process has ended. `gone`: its result is no longer stored. */
export type RunAnswer =
  | { state: 'running'; id: string }
  | { state: 'finished'; id: string; ending: RunEnding }
  | { state: 'lost'; id: string }
  | { state: 'gone'; id: string };
