/** Bounds how many pages are rendered at once, so that a visitor who asks for many delays only themselves. */
import { setImmediate } from 'node:timers/promises';
import { createFairQueue, QueueFullError } from '@greenroom/limits';

/** Rendering takes the one processor of the process: more at once would only make each of them later. */
const MAX_RENDERING = 32;
const MAX_RENDERING_PER_VISITOR = 3;
const MAX_WAITING = 1000;
const MAX_WAITING_PER_VISITOR = 60;
/** A page that is still being sent after this time no longer counts: its reader is slow, or it waits for another server. */
const MAX_HELD_MS = 2000;

/** Runs renders in the turn of their visitor. */
interface RenderQueue {
  /**
   * Runs `render` when it is its visitor's turn. Returns `{ retryAfterSeconds }` without running it where too many wait;
   * rejects with the reason of `signal` where the visitor leaves first.
   * @param keys of `clientKeys`; none for a visitor who is not limited
   */
  run(
    keys: readonly string[],
    signal: AbortSignal,
    render: () => Promise<void>,
  ): Promise<{ retryAfterSeconds: number } | undefined>;
}

/** Creates a queue in which nothing waits. */
export function createRenderQueue(maxHeldMs: number = MAX_HELD_MS): RenderQueue {
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
      const timer = setTimeout(granted, maxHeldMs).unref();
      try {
        // A page without slow data renders before the next socket is read, so nothing would ever wait in this queue.
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
