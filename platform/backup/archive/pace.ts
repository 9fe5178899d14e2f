/** Limits the rate at which an archive is written or read, so that a backup leaves processors and disks to the server. */
import type { Archive } from './archive.ts';

/** Shorter pauses are saved up: a timer for each chunk would not be exact. */
const MIN_PAUSE_MS = 20;

/** Lets bytes pass at a steady rate. */
export class Pace {
  readonly #bytesPerMs: number;
  /** Time at which all bytes so far have passed at the rate. */
  #passedAt = 0;

  /** @param bytesPerSecond more than 0 */
  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
  }

  /** Resolves when these bytes may pass. Callers that wait at the same time pass one after the other. */
  async pass(bytes: number): Promise<void> {
    const now = performance.now();
    this.#passedAt = Math.max(this.#passedAt, now) + bytes / this.#bytesPerMs;
    const pauseMs = this.#passedAt - now;
    if (pauseMs >= MIN_PAUSE_MS) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Returns the archive with a limit for the content of chunks that pass: those that are written, including those that exist
 * already, and those that are read. 0 is no limit.
 */
export function withMaxRate(archive: Archive, bytesPerSecond: number): Archive {
  return bytesPerSecond === 0 ? archive : { ...archive, pace: new Pace(bytesPerSecond) };
}
