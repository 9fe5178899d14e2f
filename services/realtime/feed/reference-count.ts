/** Counts the users of the feed, so that it can be suspended while it has none. */

/** Options of {@link ReferenceCount}. */
interface ReferenceCountOptions {
  /** `onIdle` is called after this time without a reference, in milliseconds; never if undefined. */
  idleAfterMs: number | undefined;
  onAcquire: () => void;
  onIdle: () => void;
}

/** A reference counter. A feed with at least one reference is not suspended. */
export class ReferenceCount {
  readonly #options: ReferenceCountOptions;
  #count = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ReferenceCountOptions) {
    this.#options = options;
    this.#waitUntilIdle();
  }

  /** Adds a reference. Returns the function that releases it; further calls of it do nothing. */
  acquire(): () => void {
    this.#count += 1;
    clearTimeout(this.#idleTimer);
    this.#options.onAcquire();
    let isAcquired = true;
    return () => {
      if (!isAcquired) return;
      isAcquired = false;
      this.#count -= 1;
      this.#waitUntilIdle();
    };
  }

  /** Cancels the idle timer. A reference that is released later starts it again. */
  stop(): void {
    clearTimeout(this.#idleTimer);
  }

  #waitUntilIdle(): void {
    const { idleAfterMs, onIdle } = this.#options;
    if (idleAfterMs === undefined || this.#count > 0) return;
    this.#idleTimer = setTimeout(onIdle, idleAfterMs).unref();
  }
}
