/** Remembers versions for a limited time, so that they are not stored twice. */
export class RecentVersions {
  readonly #keptMs: number;
  readonly #now: () => number;
  #current = new Set<string>();
  /** Versions of the period before. */
  #earlier = new Set<string>();
  #since: number;

  /** @param keptMs minimum time; a version is kept for at most twice that time */
  constructor(keptMs: number, now: () => number = () => performance.now()) {
    this.#keptMs = keptMs;
    this.#now = now;
    this.#since = now();
  }

  add(version: string): void {
    this.#rotate();
    this.#current.add(version);
  }

  has(version: string): boolean {
    return this.#current.has(version) || this.#earlier.has(version);
  }

  #rotate(): void {
    if (this.#now() - this.#since < this.#keptMs) return;
    this.#earlier = this.#current;
    this.#current = new Set();
    this.#since = this.#now();
  }
}
