/** Average rate per second over the last minute, which limits are compared with. */

const BUCKETS = 12;
/** Length of a bucket; all buckets together are one minute. */
const BUCKET_MS = 5000;

/** Options of {@link RollingAverage}. */
interface RollingAverageOptions {
  bucketMs?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Counts events in a ring of buckets and drops the oldest. Memory and time do not depend on the number of events. */
export class RollingAverage {
  readonly #bucketMs: number;
  readonly #now: () => number;
  readonly #counts = new Float64Array(BUCKETS);
  #bucket: number;
  #total = 0;

  constructor({ bucketMs = BUCKET_MS, now = performance.now.bind(performance) }: RollingAverageOptions = {}) {
    this.#bucketMs = bucketMs;
    this.#now = now;
    this.#bucket = Math.floor(now() / bucketMs);
  }

  add(count = 1): void {
    this.#forget();
    const at = this.#bucket % BUCKETS;
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
    this.#total += count;
  }

  /** Events per second. */
  get average(): number {
    this.#forget();
    return this.#total / ((BUCKETS * this.#bucketMs) / 1000);
  }

  #forget(): void {
    const bucket = Math.floor(this.#now() / this.#bucketMs);
    const past = Math.min(bucket - this.#bucket, BUCKETS);
    for (let step = 1; step <= past; step += 1) {
      const at = (this.#bucket + step) % BUCKETS;
      this.#total -= this.#counts[at] ?? 0;
      this.#counts[at] = 0;
    }
    this.#bucket = bucket;
  }
}
