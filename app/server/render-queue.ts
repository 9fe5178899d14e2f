/**
 * Limits how many pages are rendered concurrently, so that a visitor with many requests delays only their
 * own.
 */
import { setImmediate } from 'node:timers/promises';
import { createFairQueue, QueueFullError } from '@greenroom/limits';

/** Rendering uses the single thread of the process: more concurrency would only delay each page. */
const MAX_RENDERING = 32;
const MAX_RENDERING_PER_VISITOR = 3;
const MAX_WAITING = 1000;
const MAX_WAITING_PER_VISITOR = 60;
/**
 * A page that is still being sent after this time no longer counts: its client is slow, or it waits for
 * another server.
 */
const MAX_SLOT_MS = 2000;

/** Runs renders fairly by visitor. */
interface RenderQueue {
  /**
   * Runs `render` when it is the visitor's turn. Returns `{ retryAfterSeconds }` without running it if the
   * queue is full; rejects with the reason of `signal` if the client disconnects first.
   * @param keys the visitor's `clientKeys`; empty for an unlimited visitor
   */
  run(
    keys: readonly string[],
    signal: AbortSignal,
    render: () => Promise<void>,
  ): Promise<{ retryAfterSeconds: number } | undefined>;
}

/** Creates an empty queue. */
export function createRenderQueue(maxSlotMs: number = MAX_SLOT_MS): RenderQueue {
  const queue = createFairQueue({
    max: MAX_RENDERING,
    maxPerClient: MAX_RENDERING_PER_VISITOR,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_VISITOR,
  });
  return {
    async run(keys, signal, render) {
      const granted = await queue.acquire(keys, signal).catch((error: unknown) => {
        if (error instanceof QueueFullError) return error;
        throw error;
      });
      if (granted instanceof QueueFullError) return { retryAfterSeconds: granted.retryAfterSeconds };
      const timer = setTimeout(granted, maxSlotMs).unref();
      try {
        // Yields to the event loop. Otherwise a page without slow data would be rendered before the next
        // socket is read, and no request would ever wait in this queue.
        await setImmediate();
        signal.throwIfAborted();
        await render();
      } finally {
        clearTimeout(timer);
        granted();
      }
      return undefined;
    },
  };
}
