/**
 * Returns memory to the system once a server has started. Loading code leaves V8 with a heap twice as large as what it
 * contains, and it would only shrink after minutes without any work.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A start is followed by its first requests; the collection stops the process for less than a tenth of a second. */
const DELAY_MS = 2000;

type CollectGarbage = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/** Collects all garbage, and compacts the heap, 2 seconds from now. */
export function compactHeapSoon(): void {
  setTimeout(() => garbageCollector()({ type: 'major', flavor: 'last-resort' }), DELAY_MS).unref();
}

/**
 * V8 offers its collector to contexts that are created while a flag is set. (The inspector could start a collection
 * without a flag, but a session of the thread with itself can block it forever.)
 */
function garbageCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as CollectGarbage;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
