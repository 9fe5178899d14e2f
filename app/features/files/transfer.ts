/** The transfer of one file to storage. */
import type { FilesProblem } from './files-data.ts';

/** A transfer that runs. */
export interface Transfer {
  /** Stops it. Parts that have arrived stay. */
  pause(): void;
  /** Stops it, and deletes the parts that have arrived. */
  cancel(): Promise<void>;
}

/** Events of a transfer. A transfer that was stopped may still report some. */
export interface TransferEvents {
  /** `sent`: bytes that have left. */
  onProgress(sent: number): void;
  onDone(): void;
  onFailed(problem: FilesProblem): void;
}
