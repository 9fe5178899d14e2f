/** Limits a rate, so that a backup leaves processors and disks to the server. */

/** Shorter pauses are added to the next one: timers are not exact enough for each chunk. */
const MIN_PAUSE_MS = 20;

/** Lets bytes pass at a steady rate. */
export class Pace {
  #bytesPerMs: number;
  /** Time at which all bytes so far have passed at the rate. */
  #passedAt = 0;
  /** Ends the pauses. */
  readonly #wakes = new Set<() => void>();

  /** @param bytesPerSecond more than 0 */
  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
  }

  /** Resolves when these bytes may pass. Callers that wait at the same time pass one after the other. */
  async pass(bytes: number): Promise<void> {
    const now = performance.now();
    this.#passedAt = Math.max(this.#passedAt, now) + bytes / this.#bytesPerMs;
    const pauseMs = this.#passedAt - now;
    if (pauseMs >= MIN_PAUSE_MS) await this.#pause(pauseMs);
  }

  /** Removes the limit, and ends the pauses. */
  lift(): void {
    this.#bytesPerMs = Number.POSITIVE_INFINITY;
    this.#passedAt = 0;
    for (const wake of [...this.#wakes]) wake();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wakes.add(wake);
    });
  }
}
