/**
 * Releases memory after the start of a server. After the code is loaded, V8's heap is twice as large as its objects; V8
 * would reduce it only after minutes without requests.
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
