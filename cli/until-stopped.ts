/** Runs a server until it receives a stop signal or its launcher exits. */
import { watchLauncher } from './launcher-watch.ts';
import { allocateYoung } from './young-allocations.ts';

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
/** Stops a server whose terminal is closed, and reloads any other, as is usual for servers. */
const HANG_UP: NodeJS.Signals = 'SIGHUP';
const HANDLED: readonly (string | symbol)[] = [...STOP_SIGNALS, HANG_UP];
/** npm and our own launcher forward a Ctrl-C that the terminal also sends directly. Within this time it counts as one. */
const ECHO_MS = 1000;
/** As of PostgREST: for the schema, and for the settings. Each of them reloads both. */
const RELOAD_SIGNALS: readonly NodeJS.Signals[] = ['SIGUSR1', 'SIGUSR2'];

/** A running server. */
interface Stoppable {
  /** Reloads the settings that can change while it runs. */
  reload?(): void;
  close(): Promise<void>;
}

/**
 * Starts a server and closes it when it is asked to stop; resolves with the exit code. A signal during the start counts
 * once the start is done; a start that waits for others may end its waiting when `stopped` resolves. A second signal,
 * later than an echo of the first, ends the process at once; `exit` listeners (PostgreSQL's is one) still run.
 */
export async function untilStopped(start: (stopped: Promise<void>) => Promise<Stoppable>): Promise<number> {
  allocateYoung();
  // The reader of our output may be gone. The shutdown then goes on without it.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  let server: Stoppable | undefined;
  let isReloadDue = false;
  const reload = () => {
    isReloadDue = true;
    server?.reload?.();
  };
  const stopped = untilAsked(reload);
  // From the beginning: by default one of these signals ends the process, and the other opens it to debuggers.
  for (const signal of RELOAD_SIGNALS) process.on(signal, reload);
  server = await start(stopped);
  // What was read during the start may be older than the signal.
  if (isReloadDue) server.reload?.();
  await stopped;
  await server.close();
  return 0;
}

/** Resolves when the server is to stop. */
function untilAsked(reload: () => void): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined;
    const stop = () => {
      if (since !== undefined) return;
      since = performance.now();
      process.stdout.write('stopping\n');
      resolve();
    };
    const stopOrEnd = () => {
      if (since !== undefined && performance.now() - since > ECHO_MS) process.exit(130);
      stop();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stopOrEnd);
    process.on(HANG_UP, hasTerminal() ? stopOrEnd : reload);
    refuseOtherListeners();
    watchLauncher(stop);
  });
}

function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}

/** The signals are ours alone: the bundler of `greenroom dev` hooks in to exit at once, in the middle of a shutdown. */
function refuseOtherListeners(): void {
  process.on('newListener', (event, other: () => void) => {
    if (HANDLED.includes(event)) process.nextTick(() => process.off(event, other));
  });
}
