/** An upload that is under way. */
import type { FilesProblem } from './files-data.ts';

/** An upload that runs. */
export interface Running {
  pause(): void;
  /** Stops it, and takes back what has arrived. */
  cancel(): Promise<void>;
}

/** What a running upload tells. */
export interface RunningEvents {
  onProgress(sent: number): void;
  onDone(): void;
  onFailed(problem: FilesProblem): void;
}
