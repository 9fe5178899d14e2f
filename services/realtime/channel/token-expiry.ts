/**
 * Reports the expiry of a token. Checks repeatedly before the expiry as well, because the system clock can be changed.
 */

/** Options of {@link TokenExpiry}. */
interface TokenExpiryOptions {
  /** Longest interval between two checks, in milliseconds. */
  checkMs: number;
  /** @param expiresAt seconds since the epoch */
  onExpired: (expiresAt: number) => void;
}

/** Watches one token at a time. */
export class TokenExpiry {
  readonly #options: TokenExpiryOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TokenExpiryOptions) {
    this.#options = options;
  }

  /** Watches a token in place of the previous one. @param expiresAt seconds since the epoch */
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
