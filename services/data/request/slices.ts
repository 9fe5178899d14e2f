/**
 * Long computations in slices. A generator that yields after each bounded step can run to its end at once, where little is
 * to be done, or in slices with the event loop in between, so that large inputs delay no other request for long.
 */
import { setImmediate } from 'node:timers/promises';
import type { CancelSignal } from '@greenroom/postgres';

/** Work that yields after each step of a few milliseconds at most. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** How long steps run in a row before the event loop has its turn, in milliseconds. */
const SLICE_MS = 5;

/** Runs work to its end. Throws what it throws. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Runs work in slices. Rejects with what it throws, and with the reason of a signal that aborts in between. */
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
