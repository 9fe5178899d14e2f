/** Counts the responses to an attack by label, e.g. `429` or `ECONNRESET`. */
export class Tally {
  readonly #counts = new Map<string, number>();

  count(label: string | number, by = 1): void {
    const key = String(label);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }

  /** Returns the count of a label. */
  of(label: string | number): number {
    return this.#counts.get(String(label)) ?? 0;
  }

  toRecord(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
