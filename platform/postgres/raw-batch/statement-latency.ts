/** The latency of one statement, which decides whether other statements may wait behind it. */

/** The minimum covers the runs of the current window and of the previous one. */
const WINDOW_RUNS = 16;
/** With fewer runs the latency is unknown: the first runs include the time for preparing the statement. */
const MIN_RUNS = 4;
/** A statement is quick if its shortest run took at most this time, in milliseconds. */
const QUICK_MS = 2;
/** After a run that was too slow, the statement does not count as quick for this many runs. */
const DISTRUSTED_RUNS = 64;

/** Latency of one statement text, over all values of its parameters. */
export class StatementLatency {
  #runs = 0;
  #min = Number.POSITIVE_INFINITY;
  #previousMin = Number.POSITIVE_INFINITY;
  #trustedFrom = MIN_RUNS;

  /**
   * Records a run, or several in one write.
   * @param ms time until the response was seen, or the share of each statement in it. On a busy machine this is much
   * longer than the statement took, so only the minimum counts.
   */
  record(ms: number): void {
    this.#runs += 1;
    this.#min = Math.min(this.#min, ms);
    if (this.#runs % WINDOW_RUNS !== 0) return;
    this.#previousMin = this.#min;
    this.#min = Number.POSITIVE_INFINITY;
  }

  /** Records a run that took too long for the statements behind it. */
  recordSlow(): void {
    this.#trustedFrom = this.#runs + DISTRUSTED_RUNS;
  }

  /** Whether other statements may wait behind it. */
  get isQuick(): boolean {
    return this.#runs >= this.#trustedFrom && Math.min(this.#min, this.#previousMin) <= QUICK_MS;
  }
}
