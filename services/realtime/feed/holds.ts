/** Counts who needs the feed. */

/** Options of {@link Holds}. */
interface HoldsOptions {
  /** `onIdle` is called after this time without a hold, in milliseconds; never if undefined. */
  idleAfterMs: number | undefined;
  onHeld: () => void;
  onIdle: () => void;
}

/** Holds on the feed; there is none at first. */
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

  /** Calls `onIdle` no more, unless a hold is released afterwards. */
  stop(): void {
    clearTimeout(this.#idleTimer);
  }

  #waitUntilIdle(): void {
    const { idleAfterMs, onIdle } = this.#options;
    if (idleAfterMs === undefined || this.#count > 0) return;
    this.#idleTimer = setTimeout(onIdle, idleAfterMs).unref();
  }
}
