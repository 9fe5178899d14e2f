/**
 * Memory of chunks that have been copied and are no longer needed. By itself V8 collects it when 64 MB of it have come
 * together, and looks through the whole heap then. Chunks are young, so that looking through the young part is enough, and
 * costs so little that it can be done more often.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECT_EVERY_BYTES = 16 * 1024 * 1024;

/** Counts what is no longer needed, and has it collected. */
export class ChunkCollector {
  readonly #collect: () => void;
  #bytes = 0;

  constructor(collect: () => void = youngCollection()) {
    this.#collect = collect;
  }

  /** So many bytes of chunks have been copied. */
  drop(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < COLLECT_EVERY_BYTES) return;
    this.#bytes = 0;
    this.#collect();
  }
}

/** V8 gives its collector only to contexts that are made while the flag is set: to this one, and to nobody else. */
function youngCollection(): () => void {
  setFlagsFromString('--expose-gc');
  try {
    const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
    return () => void collect({ type: 'minor', execution: 'sync' });
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
