/**
 * Runs the PostgreSQL server as a child process: its settings, start and stop, and restarts after a crash. Does not
 * depend on how the cluster was created.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { extensionSettings } from './extensions/install.ts';
import { killServer, removeLeftOverServer } from './left-over-server.ts';
import { withMemoryLimit } from './memory-limit.ts';
import { type RunAs, spawnOptions } from './run-as.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** A starting server that logs nothing for this long is stopped. */
const READY_TIMEOUT_MS = 60_000;
/** A fast shutdown that takes longer becomes an immediate one. */
const STOP_TIMEOUT_MS = 20_000;
/** A server that has not ended this long after an immediate shutdown does not respond to signals. */
const QUIT_TIMEOUT_MS = 5000;
const EXTERNAL_PID_FILE = 'greenroom.postmaster.pid';
/** Delays before each restart attempt after an unexpected exit, in milliseconds. */
const RESTART_BACKOFF_MS = [0, 500, 2000, 5000, 10_000];

/** Options of {@link createServerProcess}. */
export interface ServerProcessOptions {
  binaries: Pick<Binaries, 'postgres'>;
  /** Folder of the cluster, without symbolic links in its path. */
  directory: string;
  /** Path by which the server finds the folder, which is its working directory; `directory` if not given. */
  path?: string;
  port: number;
  /** Main configuration file, in the folder of the cluster; `postgresql.conf` if not given. */
  configurationFile?: string;
  /** File with the rules for logins, in the folder of the cluster; `pg_hba.conf` if not given. */
  hbaFile?: string | undefined;
  /** Also creates a Unix socket in the folder of the cluster. */
  hasSocket?: boolean;
  /** Settings that override those that Greenroom depends on. */
  settings?: Readonly<Record<string, string>>;
  /** Memory limit of each of its processes, in megabytes; 0 (the default) for no limit. */
  memoryLimitMb?: number;
  runAs: RunAs | undefined;
  /** Receives each line of the server's log, and reports about restarts in the same format. */
  onLog: (line: string) => void;
  readyTimeoutMs?: number;
  /** Maximum time of the first start, also while the server logs its progress. Default: none. */
  startTimeoutMs?: number | undefined;
}

/** A server that is restarted after a crash. */
export interface ServerProcess {
  /** Rejects if the server does not become ready; its process has ended then, and it is not restarted. */
  start(): Promise<void>;
  /** Fast shutdown. When it resolves, no server runs and none will be started. */
  stop(): Promise<void>;
  /** Kills all processes of a server that does not respond, and starts none. `stop` then resolves at once. */
  kill(): void;
  pid(): number | undefined;
  /** Makes a running server read its configuration files again. */
  reload(): void;
}

/** One run of the server. */
interface Run {
  child: ChildProcess;
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>;
}

/** Creates a server that runs from `start` to `stop`; if its process ends in between, it is restarted. */
export function createServerProcess(options: ServerProcessOptions): ServerProcess {
  const { directory, onLog, readyTimeoutMs = READY_TIMEOUT_MS, startTimeoutMs } = options;
  const stopped = new AbortController();
  let current: Run | undefined;
  let supervision: Promise<void> | undefined;

  async function launch(totalMs?: number): Promise<Run> {
    const run = spawnServer(options);
    current = run;
    void run.ended.then(() => {
      current = undefined;
    });
    try {
      await waitUntilReady(run.child, { idleMs: readyTimeoutMs, totalMs }, onLog);
      return run;
    } catch (error) {
      await end(run, directory, 'SIGQUIT');
      throw error;
    }
  }

  /** Restarts the server after each unexpected exit. */
  async function supervise(first: Run): Promise<void> {
    for (let run: Run | undefined = first; run; run = await relaunch()) {
      const reason = await run.ended;
      if (!stopped.signal.aborted) onLog(`LOG:  PostgreSQL exited unexpectedly (${reason}); restarting it`);
    }
  }

  /** Retries until the server runs or `stop` is called. */
  async function relaunch(): Promise<Run | undefined> {
    for (let failures = 0; !stopped.signal.aborted; failures++) {
      await sleep(backoff(failures), undefined, { signal: stopped.signal }).catch(() => undefined);
      await removeLeftOverServer(directory).catch((error: Error) => onLog(`WARNING:  ${error.message}`));
      // `stop` may have been called during the wait; it would never end a server that is launched after it.
      if (stopped.signal.aborted) break;
      try {
        return await launch();
      } catch (error) {
        onLog(`FATAL:  ${(error as Error).message}`);
      }
    }
    return undefined;
  }

  async function start(): Promise<void> {
    supervision = supervise(await launch(startTimeoutMs));
  }

  async function stop(): Promise<void> {
    stopped.abort();
    if (current) await end(current, directory, 'SIGINT');
    await supervision;
  }

  function kill(): void {
    stopped.abort();
    if (current) killRun(current, directory);
  }

  return {
    start,
    stop,
    kill,
    pid: () => current?.child.pid,
    reload: () => void current?.child.kill('SIGHUP'),
  };
}

function spawnServer(options: ServerProcessOptions): Run {
  const { binaries, directory, memoryLimitMb = 0, runAs } = options;
  const server = { program: binaries.postgres, args: serverArguments(options) };
  const { program, args } = withMemoryLimit(server, memoryLimitMb);
  // Detached: Ctrl-C in a terminal reaches only this process, which stops PostgreSQL after the last request.
  const child = spawn(program, args, {
    ...spawnOptions(runAs),
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = endOf(child);
  // If this process ends without a shutdown (a second Ctrl-C, a bug), PostgreSQL must not keep running.
  const quit = () => child.kill('SIGQUIT');
  process.once('exit', quit);
  void ended.then(() => process.off('exit', quit));
  return { child, ended };
}

function backoff(failures: number): number | undefined {
  return RESTART_BACKOFF_MS[failures] ?? RESTART_BACKOFF_MS.at(-1);
}

/** A process that could not be spawned emits no `exit`. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
}

/** SIGINT is the fast shutdown, SIGQUIT the immediate one (recovery at the next start). Both are safe for the data. */
async function end(run: Run, directory: string, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const { child, ended } = run;
  child.kill(signal);
  const quitAfterMs = signal === 'SIGQUIT' ? 0 : STOP_TIMEOUT_MS;
  const escalations = [
    setTimeout(() => child.kill('SIGQUIT'), quitAfterMs),
    setTimeout(() => killRun(run, directory), quitAfterMs + QUIT_TIMEOUT_MS),
  ];
  await ended;
  for (const escalation of escalations) clearTimeout(escalation);
}

/** Waits for nothing: `ended` reports the end of the postmaster. */
function killRun({ child: { pid } }: Run, directory: string): void {
  if (pid !== undefined) void killServer(pid, directory).catch(() => undefined);
}

type ArgumentOptions = Pick<
  ServerProcessOptions,
  'port' | 'hasSocket' | 'directory' | 'path' | 'configurationFile' | 'hbaFile' | 'settings'
>;

/** Returns the command line of the server. */
export function serverArguments(options: ArgumentOptions): string[] {
  const { directory, path = directory } = options;
  const settings = Object.entries(serverSettings(options));
  return ['-D', path, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Settings that Greenroom depends on. On the command line, they override files and ALTER SYSTEM. */
function serverSettings(options: ArgumentOptions): Record<string, string> {
  const { port, hasSocket = false, directory, path = directory, configurationFile } = options;
  const { hbaFile = 'pg_hba.conf' } = options;
  return {
    ...(configurationFile !== undefined && { config_file: join(path, configurationFile) }),
    data_directory: path,
    hba_file: join(path, hbaFile),
    ident_file: join(path, 'pg_ident.conf'),
    // An empty path is an error to PostgreSQL. The server removes this file when it stops, like postmaster.pid.
    external_pid_file: join(path, EXTERNAL_PID_FILE),
    listen_addresses: '127.0.0.1',
    port: String(port),
    // Relative to the folder of the cluster, so that its path needs no quotes.
    unix_socket_directories: hasSocket ? '.' : '',
    unix_socket_permissions: '0700',
    wal_level: 'logical',
    password_encryption: 'scram-sha-256',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    // Clients receive the errors of their statements; values of users do not belong in a log.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    lc_messages: 'C',
    ...extensionSettings(path),
    ...options.settings,
  };
}
