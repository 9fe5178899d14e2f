/**
 * Cooperative scheduling of long computations. A generator that yields after each bounded step can run to completion
 * synchronously for small inputs, or in time slices between which the event loop serves other requests.
 */
import { setImmediate } from 'node:timers/promises';
import type { CancelSignal } from '@greenroom/postgres';

/** A computation that yields after each step. A step takes a few milliseconds at most. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Duration of a slice, after which the event loop runs. */
const SLICE_MS = 5;

/** Runs a computation to completion synchronously. Throws its errors. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Runs a computation in slices. Rejects with its errors, and with the reason of the signal if it aborts. */
export async function runInSlices<T>(
  work: Sliced<T>,
  signal: Pick<CancelSignal, 'aborted' | 'reason'>,
): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await setImmediate();
    if (signal.aborted) throw signal.reason;
  }
}
