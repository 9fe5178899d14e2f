/** Prepares functions before their first requests: in the background, and one at a time. */
import type { Logger } from '@greenroom/log';
import type { ProjectFunction } from '@greenroom/project';

/** Options of {@link createPreparationAhead}. */
interface PreparationAheadOptions {
  /** Lists the functions as they are now. */
  list(): Promise<readonly ProjectFunction[]>;
  /** Prepares a function, unless its present files are prepared. */
  prepare(source: ProjectFunction): Promise<unknown>;
  log: Logger;
}

/** The preparation in the background. */
interface PreparationAhead {
  /** Prepares all functions. A run in progress ends early, and a new one begins with the current list. */
  run(): void;
  /** Begins no further preparation until the next run, so that those of requests come first. */
  pause(): void;
  /** Begins no further preparation. Resolves when the one that runs has ended. */
  close(): Promise<void>;
}

/** Creates the preparation. A failure is logged once, until its reason changes; requests get the failure, too. */
export function createPreparationAhead({ list, prepare, log }: PreparationAheadOptions): PreparationAhead {
  let running: Promise<void> | undefined;
  let isWanted = false;
  /** Whether the list of the present run may have changed. */
  let isStale = false;
  let isClosed = false;
  /** The reasons of the last failures, by the names of functions. */
  let reported: ReadonlyMap<string, string> = new Map();

  async function runWhileWanted(): Promise<void> {
    while (isWanted && !isClosed) {
      [isWanted, isStale] = [false, false];
      await prepareAll().catch((error: unknown) => log.warn({ err: error }, 'functions could not be listed'));
    }
    running = undefined;
  }

  async function prepareAll(): Promise<void> {
    const failures = new Map<string, string>();
    for (const source of await list()) {
      if (isStale || isClosed) return;
      await prepare(source).catch((error: Error) => failures.set(source.name, error.message));
    }
    // After a change of files, the next run prepares and reports them again.
    if (!isStale && !isClosed) report(failures);
  }

  function report(failures: ReadonlyMap<string, string>): void {
    for (const [name, reason] of failures)
      if (reported.get(name) !== reason)
        log.warn({ function: name, reason }, 'the function cannot be prepared');
    reported = failures;
  }

  return {
    run() {
      [isWanted, isStale] = [true, true];
      running ??= runWhileWanted();
    },
    pause() {
      isStale = true;
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}
