/** How long the runs of one statement take, as far as it matters for whether others may wait behind it. */

/** The runs whose shortest time counts: those since the last turn, and as many before. */
const TURN = 16;
/** So many runs tell nothing yet: the first have to be prepared. */
const UNKNOWN = 4;
/** A statement that takes no longer is quick, in milliseconds. */
const QUICK_MS = 2;
/** A run that others had to be taken away from speaks against so many that follow. */
const DISTRUST = 64;

/** Of one statement, whatever its values are. */
export class Pace {
  #runs = 0;
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #trustedFrom = UNKNOWN;

  /**
   * Notes a run, or several in one write.
   * @param ms until the answer was seen, or the share of each: on a busy machine much longer than it took, so that only the
   *   least tells something
   */
  note(ms: number): void {
    this.#runs += 1;
    this.#least = Math.min(this.#least, ms);
    if (this.#runs % TURN !== 0) return;
    this.#leastBefore = this.#least;
    this.#least = Number.POSITIVE_INFINITY;
  }

  /** Notes a run that took too long for those behind it. */
  noteSlow(): void {
    this.#trustedFrom = this.#runs + DISTRUST;
  }

  /** Whether others may wait behind it. */
  get isQuick(): boolean {
    return this.#runs >= this.#trustedFrom && Math.min(this.#least, this.#leastBefore) <= QUICK_MS;
  }
}
