/** Counts the users of the feed, so that it can rest while there are none. */

/** Options of {@link Holds}. */
interface HoldsOptions {
  /** `onIdle` is called after this time without a hold, in milliseconds; never if undefined. */
  idleAfterMs: number | undefined;
  onHeld: () => void;
  onIdle: () => void;
}

/** A counter of holds. A feed with at least one hold does not rest. */
export class Holds {
  readonly #options: HoldsOptions;
  #count = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: HoldsOptions) {
    this.#options = options;
    this.#waitUntilIdle();
  }

  /** Adds a hold. Returns the function that releases it; further calls of it do nothing. */
  hold(): () => void {
    this.#count += 1;
    clearTimeout(this.#idleTimer);
    this.#options.onHeld();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count -= 1;
      this.#waitUntilIdle();
    };
  }

  /** Cancels the idle timer. A hold that is released later starts it again. */
  stop(): void {
    clearTimeout(this.#idleTimer);
  }

  #waitUntilIdle(): void {
    const { idleAfterMs, onIdle } = this.#options;
    if (idleAfterMs === undefined || this.#count > 0) return;
    this.#idleTimer = setTimeout(onIdle, idleAfterMs).unref();
  }
}
