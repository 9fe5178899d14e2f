/**
 * The life of a server as seen by the system: from its start to a signal, or to the end of the npm that started it.
 */
import { allocateYoung } from './young-allocations.ts';

const SIGNALS: readonly (string | symbol)[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** npm hands its child a Ctrl-C that the terminal has sent there already: what comes so soon is no second wish. */
const ECHO_MS = 1000;
/** Scripts that run a server and nothing else; another script's shell may well end before what it has started. */
const NPM_SCRIPTS = ['start', 'dev'];
const NPM_POLL_MS = 500;
/** Read at once: the parent may be gone before there is anything to stop. */
const PARENT = process.ppid;

/** PostgREST's: for the schema, and for the settings. Both are read anew at either. */
const RELOAD_SIGNALS: readonly NodeJS.Signals[] = ['SIGUSR1', 'SIGUSR2'];

/** What runs, and can be ended. */
export interface Stoppable {
  /** Reads anew what it was started with, as far as it can. */
  reload?(): void;
  close(): Promise<void>;
}

/**
 * Starts a server and closes it when it is told to; gives the exit code. A signal that comes during the start counts
 * as soon as the start is done; a start that waits for others may end its waiting when `told` resolves. A second one, later than an echo of the first, ends the process at once; `exit`
 * listeners (PostgreSQL's is one) still run.
 */
export async function untilStopped(start: (told: Promise<void>) => Promise<Stoppable>): Promise<number> {
  allocateYoung();
  // Whoever read our output may be gone, and then the shutdown is all that is left to do.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const told = untilTold();
  // From the beginning: left to the system, the one would end the process and the other open it to debuggers.
  let server: Stoppable | undefined;
  let isAsked = false;
  const reload = () => {
    isAsked = true;
    server?.reload?.();
  };
  for (const signal of RELOAD_SIGNALS) process.on(signal, reload);
  server = await start(told);
  // What was read during the start may be older than the signal.
  if (isAsked) server.reload?.();
  await told;
  await server.close();
  return 0;
}

function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined;
    const stop = () => {
      if (since !== undefined) return;
      since = performance.now();
      process.stdout.write('stopping\n');
      resolve();
    };
    onSignal(() => {
      if (since !== undefined && performance.now() - since > ECHO_MS) process.exit(130);
      stop();
    });
    onNpmGone(stop);
  });
}

/** The signals are ours alone: the bundler of `greenroom dev` hooks in to exit at once, in the middle of a shutdown. */
function onSignal(listener: () => void): void {
  for (const signal of SIGNALS) process.on(signal, listener);
  process.on('newListener', (event, other: () => void) => {
    if (SIGNALS.includes(event)) process.nextTick(() => process.off(event, other));
  });
}

/** npm passes on SIGINT and SIGTERM only. Killed in another way, it would leave us behind, seen by nobody. */
function onNpmGone(stop: () => void): void {
  if (!NPM_SCRIPTS.includes(process.env.npm_lifecycle_event ?? '')) return;
  setInterval(() => {
    if (process.ppid !== PARENT) stop();
  }, NPM_POLL_MS).unref();
}
