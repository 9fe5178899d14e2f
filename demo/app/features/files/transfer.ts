/** The transfer of one file to storage. */
import type { FilesProblem } from './files-data.ts';

/** A running transfer. */
export interface Transfer {
  /** Stops it. Uploaded parts are kept. */
  pause(): void;
  /** Stops it, and deletes the uploaded parts. */
  cancel(): Promise<void>;
}

/** Events of a transfer. A stopped transfer may still report events. */
export interface TransferEvents {
  /** `sent`: bytes that were sent. */
  onProgress(sent: number): void;
  onDone(): void;
  onFailed(problem: FilesProblem): void;
}
