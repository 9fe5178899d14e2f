/** Tells when a token has expired: looks at its end, and now and then in between, since clocks are set. */

/** Options of {@link TokenLife}. */
interface TokenLifeOptions {
  /** Longest time between two looks, in milliseconds. */
  checkMs: number;
  /** @param expiresAt seconds since the epoch */
  onExpired: (expiresAt: number) => void;
}

/** Watches one token after the other. */
export class TokenLife {
  readonly #options: TokenLifeOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TokenLifeOptions) {
    this.#options = options;
  }

  /** Watches this one from now on. @param expiresAt seconds since the epoch */
  watch(expiresAt: number): void {
    clearTimeout(this.#timer);
    const leftMs = expiresAt * 1000 - Date.now();
    if (leftMs <= 0) {
      this.#options.onExpired(expiresAt);
      return;
    }
    const nextMs = Math.min(leftMs, this.#options.checkMs);
    this.#timer = setTimeout(() => this.watch(expiresAt), nextMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
