/** Runs a server until it receives a stop signal or its launcher exits. */
import { compactHeapSoon } from './compact-heap.ts';
import { watchParent } from './embedding/report.ts';
import { watchLauncher } from './launcher-watch.ts';
import { allocateYoung } from './young-allocations.ts';

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
/**
 * Stops a server that has a terminal, because the terminal was closed, and reloads any other server, as is
 * conventional.
 */
const HANG_UP: NodeJS.Signals = 'SIGHUP';
const HANDLED: readonly (string | symbol)[] = [...STOP_SIGNALS, HANG_UP];
/**
 * npm and this program's own launcher forward a Ctrl-C that the terminal also sends directly. Within this time both
 * count as one.
 */
const ECHO_MS = 1000;
/** The signals of PostgREST: one for the schema, one for the settings. Here each of them reloads both. */
const RELOAD_SIGNALS: readonly NodeJS.Signals[] = ['SIGUSR1', 'SIGUSR2'];

/** A running server. */
interface Stoppable {
  /** Reloads the settings that can change while it runs. */
  reload?(): void;
  close(): Promise<void>;
}

/**
 * Starts a server and closes it when it receives a stop signal; resolves with the exit code. A signal during the start
 * takes effect when the start has finished; a start that waits for others may stop waiting when `stopped` resolves. A
 * second signal, later than an echo of the first, exits immediately; `exit` listeners (such as PostgreSQL's) still run.
 */
export async function runUntilStopped(
  start: (stopped: Promise<void>) => Promise<Stoppable>,
): Promise<number> {
  allocateYoung();
  // The reader of the output may have exited; then the shutdown continues without it.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  let server: Stoppable | undefined;
  let isReloadDue = false;
  const reload = () => {
    isReloadDue = true;
    server?.reload?.();
  };
  const stopped = waitForStopSignal(reload);
  // Registered first, because by default one of these signals ends the process, and the other starts the debugger.
  for (const signal of RELOAD_SIGNALS) process.on(signal, reload);
  server = await start(stopped);
  // Settings that were read during the start may be older than the signal.
  if (isReloadDue) server.reload?.();
  compactHeapSoon();
  await stopped;
  await server.close();
  return 0;
}

/** Resolves when the server should stop. */
function waitForStopSignal(reload: () => void): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined;
    const stop = () => {
      if (since !== undefined) return;
      since = performance.now();
      process.stdout.write('stopping\n');
      resolve();
    };
    const stopOrExit = () => {
      if (since !== undefined && performance.now() - since > ECHO_MS) process.exit(130);
      stop();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stopOrExit);
    process.on(HANG_UP, hasTerminal() ? stopOrExit : reload);
    removeOtherListeners();
    watchLauncher(stop);
    watchParent(stop);
  });
}

function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}

/**
 * Removes listeners of others for these signals: the bundler of `greenroom dev` adds one that exits immediately, in the
 * middle of a shutdown.
 */
function removeOtherListeners(): void {
  process.on('newListener', (event, other: () => void) => {
    if (HANDLED.includes(event)) process.nextTick(() => process.off(event, other));
  });
}
