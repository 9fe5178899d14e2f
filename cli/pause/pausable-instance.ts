/** An instance that releases its data folder on request, and starts again afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isPauseRequested } from './pause-file.ts';

const POLL_MS = 50;

/** A running instance. */
interface Instance {
  reload(): void;
  /** May be called twice. */
  close(): Promise<void>;
}

/** Options of {@link startPausable}. */
interface PausableOptions {
  dataFolder: string;
  /** @param isResuming whether the instance starts after a pause */
  start: (isResuming: boolean) => Promise<Instance>;
  /** Called if the instance cannot start again; `close` then rejects with the reason. */
  stop: () => void;
  onProgress: (line: string) => void;
}

/** Starts an instance. A reload with a request for a pause closes it until the request is withdrawn. */
export async function startPausable(options: PausableOptions): Promise<Instance> {
  const { dataFolder, start, stop, onProgress } = options;
  let current = await start(false);
  let pause: Promise<void> | undefined;
  let isClosing = false;

  async function pauseAndResume(): Promise<void> {
    onProgress('paused, because another command needs the data folder');
    await current.close();
    while (isPauseRequested(dataFolder) && !isClosing) await sleep(POLL_MS);
    if (isClosing) return;
    current = await start(true);
    // Settings that were reloaded before the pause are applied again.
    current.reload();
  }

  return {
    reload() {
      if (pause !== undefined) return;
      if (!isPauseRequested(dataFolder)) return current.reload();
      pause = pauseAndResume();
      pause.then(
        () => {
          pause = undefined;
        },
        () => stop(),
      );
    },
    async close() {
      isClosing = true;
      await pause;
      await current.close();
    },
  };
}
