/** Repeats a step while work is requested, one run at a time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Options of {@link createWorkLoop}. */
interface WorkLoopOptions {
  step: () => Promise<void>;
  /** Called with the error of a step, which is repeated after a pause. */
  onError: (error: Error) => Promise<void>;
  retryMs: number;
  /** Ends the loop. */
  stop: AbortSignal;
}

/** A loop that sleeps until it is requested. */
interface WorkLoop {
  /** Runs the step, or once more if it is running. */
  request(): void;
  /** Resolves when no step is running. */
  ended(): Promise<void>;
}

export function createWorkLoop({ step, onError, retryMs, stop }: WorkLoopOptions): WorkLoop {
  let running: Promise<void> | undefined;
  let isRequested = false;

  async function work(): Promise<void> {
    while (isRequested && !stop.aborted) {
      isRequested = false;
      await step().catch(retryAfter);
    }
    // Synchronous with the last check of `isRequested`, so that no request in between is lost.
    running = undefined;
  }

  async function retryAfter(error: Error): Promise<void> {
    if (stop.aborted) return;
    await onError(error);
    isRequested = true;
    await sleep(retryMs, undefined, { signal: stop }).catch(() => undefined);
  }

  return {
    request() {
      isRequested = true;
      if (!stop.aborted) running ??= work();
    },
    async ended() {
      await running;
    },
  };
}
