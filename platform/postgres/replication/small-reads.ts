/**
 * Reads a log that grows in small parts less often: on a busy server, each transaction would wake this process, and a read costs more
 * than the copy of its bytes.
 */
import type { ReplicationStream } from './stream.ts';

/** The log gathers in the socket for this time. */
const PAUSE_MS = 50;
/** Parts of this size show that the log grows faster than it is read. */
const LARGE_PART_BYTES = 64 * 1024;

/** Pauses a stream after each small part. */
export class SmallReads {
  readonly #stream: Pick<ReplicationStream, 'pause' | 'resume'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: Pick<ReplicationStream, 'pause' | 'resume'>) {
    this.#stream = stream;
  }

  /** To be called for each part. */
  received(bytes: number): void {
    if (bytes >= LARGE_PART_BYTES || this.#timer !== undefined) return;
    this.#stream.pause();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#stream.resume();
    }, PAUSE_MS).unref();
  }
}
