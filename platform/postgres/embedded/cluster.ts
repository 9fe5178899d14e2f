/**
 * The embedded PostgreSQL: one cluster in one folder, initialised at first start, run as a child process on
 * 127.0.0.1 only, started again if it dies, shut down fast at the end.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { choosePort } from '@greenroom/ports';
import { type Binaries, findBinaries } from './binaries.ts';

import { chooseRunAs, ensureClusterDirectory, type RunAs } from './run-as.ts';
import { stopStalePostmaster } from './stale-postmaster.ts';

const SUPERUSER = 'postgres';
const MAJOR_VERSION = '18';
const READY = 'database system is ready to accept connections';
const PORT_TAKEN = 'Address already in use';
const START_TRIES = 10;
const READY_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 20_000;
/** Waits before the next try when the server ended by itself, in milliseconds. */
const RESTART_BACKOFF_MS = [0, 500, 2000, 5000, 10_000];

const run = promisify(execFile);

/** Options of {@link startEmbeddedPostgres}. */
export interface EmbeddedOptions {
  /** Folder of the cluster; made where it does not exist. */
  directory: string;
  /** Wanted port; the next free one is taken unless `portIsFixed`. */
  port: number;
  portIsFixed: boolean;
  /** Password of the superuser `postgres`, set when the cluster is initialised. */
  password: string;
  /** Told what is going on while a person waits. */
  onProgress?: (message: string) => void;
  /** Told what the server logs, line by line. */
  onLog?: (line: string) => void;
}

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Connection URL of the superuser. */
  readonly url: string;
  readonly port: number;
  readonly pid: () => number | undefined;
  /** Fast shutdown: ends connections, writes a checkpoint. */
  stop(): Promise<void>;
}

/** Initialises the cluster if needed and starts it. Resolves when it accepts connections. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const runAs = await chooseRunAs();
  const binaries = await findBinaries(runAs);
  const directory = await realpath(await ensureClusterDirectory(options.directory, runAs));
  await ensureInitialised(directory, binaries, runAs, options);
  const stale = await stopStalePostmaster(directory);
  if (stale !== undefined)
    options.onProgress?.(`stopped a PostgreSQL left over from an earlier run (pid ${stale})`);
  const { server, port } = await startOnFreePort(options, (port) =>
    createServerProcess({ binaries, directory, port, runAs, onLog: options.onLog ?? (() => {}) }),
  );
  const url = `postgresql://${SUPERUSER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`;
  return { url, port, pid: server.pid, stop: server.stop };
}

/** Between choosing a port and PostgreSQL's listening on it, another process may take it: then the next one is tried. */
async function startOnFreePort(
  { port: wanted, portIsFixed: fixed }: EmbeddedOptions,
  create: (port: number) => ServerProcess,
): Promise<{ server: ServerProcess; port: number }> {
  for (let from = wanted, tries = 1; ; tries++) {
    const port = await choosePort({ host: '127.0.0.1', port: from, fixed });
    const server = create(port);
    try {
      await server.start();
      return { server, port };
    } catch (error) {
      const isTaken = (error as Error).message.includes(PORT_TAKEN);
      if (!isTaken || fixed || tries === START_TRIES) throw error;
      from = wanted === 0 ? 0 : port + 1;
    }
  }
}

/** Initialises into a folder beside and renames it, so that a start cut short is simply done again. */
async function ensureInitialised(
  directory: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  options: EmbeddedOptions,
): Promise<void> {
  const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version?.trim() === MAJOR_VERSION) return;
  if (version !== undefined) {
    throw new Error(
      `${directory} was made by PostgreSQL ${version.trim()}; this release runs ${MAJOR_VERSION}`,
    );
  }
  options.onProgress?.(`initialising PostgreSQL ${MAJOR_VERSION} (once)`);
  await rm(directory, { recursive: true, force: true });
  await initialise(directory, binaries, runAs, options.password);
}

async function initialise(
  directory: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  password: string,
): Promise<void> {
  const passwordFolder = await mkdtemp(join(tmpdir(), 'greenroom-'));
  const passwordFile = join(passwordFolder, 'password');
  const partial = `${directory}.initialising`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (runAs)
      await Promise.all([passwordFolder, passwordFile].map((path) => chown(path, runAs.uid, runAs.gid)));
    await rm(partial, { recursive: true, force: true });
    await ensureClusterDirectory(partial, runAs);
    await run(binaries.initdb, initdbArguments(partial, passwordFile), {
      ...identity(runAs),
      cwd: '/',
      env: serverEnv(),
    });
    await rename(partial, directory);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`initdb failed: ${stderr.trim() || message}`, { cause: error });
  } finally {
    await rm(passwordFolder, { recursive: true, force: true });
    await rm(partial, { recursive: true, force: true });
  }
}

function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // The same order of text on every machine, and Unicode-aware upper and lower case.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
}

/** Settings in code, so that a newer release brings newer ones to an existing cluster. */
function serverSettings(port: number): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    wal_level: 'logical',
    max_connections: '100',
    shared_buffers: '64MB',
    max_wal_size: '1GB',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    // Errors of statements are answered to their client; values of users do not belong into a log.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    lc_messages: 'C',
  };
}

interface ServerProcessOptions {
  binaries: Binaries;
  directory: string;
  port: number;
  runAs: RunAs | undefined;
  onLog: (line: string) => void;
}

/** The child process and its restarts. */
interface ServerProcess {
  /** Rejects where it does not become ready; then it is not tried again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  pid(): number | undefined;
}

function createServerProcess(options: ServerProcessOptions): ServerProcess {
  const { binaries, directory, port, runAs, onLog } = options;
  const settings = Object.entries(serverSettings(port)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  let child: ChildProcess | undefined;
  // Nothing is started again before it has once been started, nor after it was told to stop.
  let mayRestart = false;
  let failures = 0;

  function launch(): Promise<void> {
    // Detached: Ctrl-C in a terminal reaches only us, and we stop PostgreSQL when the last request is done.
    const started = spawn(binaries.postgres, ['-D', directory, ...settings], {
      ...identity(runAs),
      cwd: directory,
      env: serverEnv(),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    child = started;
    started.once('exit', (code, signal) => void onExit(code, signal));
    return untilReady(started, onLog);
  }

  async function onExit(code: number | null, signal: string | null): Promise<void> {
    child = undefined;
    if (!mayRestart) return;
    const wait = RESTART_BACKOFF_MS[Math.min(failures++, RESTART_BACKOFF_MS.length - 1)] ?? 0;
    onLog(
      `LOG:  PostgreSQL ended by itself (${signal ?? `exit code ${code}`}); starting it again in ${wait} ms`,
    );
    await sleep(wait);
    if (!mayRestart) return;
    await stopStalePostmaster(directory).catch(() => undefined);
    await launch().then(
      () => {
        failures = 0;
      },
      (error: Error) => onLog(`FATAL:  ${error.message}`),
    );
  }

  async function start(): Promise<void> {
    try {
      await launch();
      mayRestart = true;
    } catch (error) {
      child?.kill('SIGQUIT');
      throw error;
    }
  }

  async function stop(): Promise<void> {
    mayRestart = false;
    const running = child;
    if (!running) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGINT');
    const impatient = setTimeout(() => running.kill('SIGQUIT'), STOP_PATIENCE_MS);
    await ended;
    clearTimeout(impatient);
  }

  return { start, stop, pid: () => child?.pid };
}

/** Resolves at the server's own word that it is ready; rejects with its last lines if it ends before. */
function untilReady(child: ChildProcess, onLog: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const lastLines: string[] = [];
    const patience = setTimeout(
      () => reject(new Error('PostgreSQL did not become ready in time')),
      READY_PATIENCE_MS,
    );
    const settle = (outcome: () => void) => {
      clearTimeout(patience);
      outcome();
    };
    child.once('error', (error) =>
      settle(() => reject(new Error(`PostgreSQL cannot be run: ${error.message}`))),
    );
    child.once('exit', () =>
      settle(() => reject(new Error(`PostgreSQL did not start: ${lastLines.join(' ')}`))),
    );
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes(READY)) settle(resolve);
      lastLines.push(line);
      if (lastLines.length > 5) lastLines.shift();
      onLog(line);
    });
  });
}

function identity(runAs: RunAs | undefined): { uid?: number; gid?: number } {
  return runAs ? { uid: runAs.uid, gid: runAs.gid } : {};
}

/** None of our own environment (which may hold secrets) reaches PostgreSQL; LC_ALL keeps its messages in English. */
function serverEnv(): NodeJS.ProcessEnv {
  const { PATH = '', SystemRoot, TMPDIR, TEMP } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, LC_ALL: 'C', TZ: 'UTC' };
  if (SystemRoot) env.SystemRoot = SystemRoot;
  if (TMPDIR) env.TMPDIR = TMPDIR;
  if (TEMP) env.TEMP = TEMP;
  return env;
}
