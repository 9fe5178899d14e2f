/**
 * Recovers a cluster from a base backup and the log: PostgreSQL applies the log up to a target, and continues on a new
 * timeline. The cluster has stopped afterwards and starts like any other.
 */
import { existsSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import { choosePort } from '@greenroom/ports';
import { type Binaries, findBinaries } from './binaries.ts';
import { lockCluster, pathForServer } from './cluster-directory.ts';
import { CONFIGURATION_FILE } from './configuration.ts';
import { inertSettings } from './inert-settings.ts';
import { removeLeftOverServer } from './left-over-server.ts';
import { CommitTimes } from './recovery/commit-times.ts';
import {
  explainFailure,
  RecoveryError,
  type RecoveryProgress,
  readProgress,
} from './recovery/recovery-log.ts';
import { openSegmentFolder, RESTORE_COMMAND, type ReadSegment } from './recovery/segment-folder.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { createServerProcess, type ServerProcess } from './server-process.ts';
import { syncCluster } from './sync-cluster.ts';
import { canHoldSocket } from './unix-socket.ts';

const SIGNAL_FILE = 'recovery.signal';
/** It would make the server follow another one. */
const STANDBY_FILE = 'standby.signal';
/** Files that PostgreSQL keeps after a recovery. */
const LEFT_OVER_FILES = ['backup_label.old', 'tablespace_map.old', SIGNAL_FILE];
/** The server logs nothing while it waits for a segment, so silence is no failure. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** Only the name of a socket in the folder of the cluster. */
const SOCKET_PORT = 5432;

/**
 * Where the recovery ends: at the end of the backup itself, at the end of the log, or before the first commit after a time.
 * `isCovered`: all commits up to that time are in the log, so a log without later commits is complete.
 */
export type RecoveryTarget = { kind: 'backup' | 'end' } | { kind: 'time'; time: Date; isCovered: boolean };

/** Options of {@link recoverCluster}. */
interface RecoverOptions {
  /** The cluster: a folder with the files of a base backup. */
  directory: string;
  target: RecoveryTarget;
  /** Provides the log. Segments that are in `pg_wal` of the cluster need not be provided. */
  readSegment: ReadSegment;
  /**
   * Timelines after that of the cluster, without gaps, which other copies of the cluster use. The recovered cluster
   * continues on the next one. Default: none.
   */
  takenTimelines?: readonly number[];
  /** @param lastCommit the time of a commit shortly before the position; undefined if none was provided by `readSegment` */
  onProgress?: (position: bigint, lastCommit: Date | undefined) => void;
  /** Receives each line of the server's log. */
  onLog?: (line: string) => void;
  /** Stops the recovery, which cannot be continued then. */
  signal?: AbortSignal;
}

/**
 * Recovers a cluster. Its own settings run no command meanwhile, and are unchanged afterwards. Rejects with a RecoveryError,
 * or with the error of `readSegment` or of the signal.
 */
export async function recoverCluster(options: RecoverOptions): Promise<RecoveryProgress> {
  const runAs = await chooseRunAs();
  const binaries = await findBinaries(runAs);
  const directory = await realpath(options.directory);
  const lock = await lockCluster(directory, dirname(directory), runAs);
  const { takenTimelines = [] } = options;
  const times = new CommitTimes();
  const readSegment: ReadSegment = async (timeline, start) => {
    const segment = await options.readSegment(timeline, start);
    if (segment !== undefined) times.add(start, segment);
    return segment;
  };
  try {
    await removeLeftOverServer(directory);
    await rm(join(directory, STANDBY_FILE), { force: true });
    const segments = await openSegmentFolder({ cluster: directory, runAs, readSegment, takenTimelines });
    const context = { directory, runAs, binaries, times, failed: segments.failed };
    const progress = await recoverTo(options, context).finally(segments.close);
    for (const name of LEFT_OVER_FILES) await rm(join(directory, name), { force: true });
    await syncCluster({ directory, binaries, runAs });
    return progress;
  } finally {
    lock.release();
  }
}

interface RecoveryContext {
  directory: string;
  binaries: Binaries;
  runAs: RunAs | undefined;
  times: CommitTimes;
  /** Rejects if a segment cannot be provided. */
  failed: Promise<never>;
}

/**
 * PostgreSQL stops at the first record after the target, and fails if there is none. The end of the log is the target then:
 * of a time that the log covers, and of a backup, because an incomplete one is another error.
 */
async function recoverTo(options: RecoverOptions, context: RecoveryContext): Promise<RecoveryProgress> {
  const { target } = options;
  try {
    return await runRecovery(options, context);
  } catch (error) {
    const isAtEnd = target.kind === 'backup' || (target.kind === 'time' && target.isCovered);
    if (!isAtEnd || !(error instanceof RecoveryError) || error.kind !== 'targetNotReached') throw error;
    return runRecovery({ ...options, target: { kind: 'end' } }, context);
  }
}

/** Runs one server until it is ready for connections. */
async function runRecovery(options: RecoverOptions, context: RecoveryContext): Promise<RecoveryProgress> {
  const { target, onProgress, onLog, signal } = options;
  const { directory, runAs, failed, times } = context;
  await writeFileAtomically(join(directory, SIGNAL_FILE), '', 0o600, runAs);
  let progress: RecoveryProgress = { position: undefined, lastCommit: undefined, timeline: undefined };
  const lines: string[] = [];
  const server = await createRecoveryServer(target, context, (line) => {
    lines.push(line);
    const next = readProgress(progress, line);
    if (next.position !== undefined && next.position !== progress.position)
      onProgress?.(next.position, times.before(next.position));
    progress = next;
    onLog?.(line);
  });
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const started = server.start().catch((error: Error) => {
    throw explainFailure(lines, progress, error);
  });
  try {
    await Promise.race([started, failed, aborted.promise]);
  } catch (error) {
    // A shutdown would wait for the command that waits for a segment.
    server.kill();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    await server.stop();
    await started.catch(() => undefined);
  }
  return progress;
}

async function createRecoveryServer(
  target: RecoveryTarget,
  { directory, binaries, runAs }: RecoveryContext,
  onLog: (line: string) => void,
): Promise<ServerProcess> {
  const hasSocket = await canHoldSocket(directory);
  const port = hasSocket ? SOCKET_PORT : await choosePort({ host: '127.0.0.1', port: 0, fixed: false });
  return createServerProcess({
    binaries,
    directory,
    path: await pathForServer(directory, runAs),
    port,
    ...(existsSync(join(directory, CONFIGURATION_FILE)) && { configurationFile: CONFIGURATION_FILE }),
    hasSocket,
    runAs,
    onLog,
    readyTimeoutMs: NO_TIMEOUT_MS,
    settings: {
      ...recoverySettings(target),
      ...(hasSocket && { listen_addresses: '' }),
      // Tablespaces of a base backup are folders of the cluster.
      ...((await hasTablespaces(directory)) && { allow_in_place_tablespaces: 'on' }),
    },
  });
}

function recoverySettings(target: RecoveryTarget): Record<string, string> {
  return {
    ...inertSettings(),
    restore_command: RESTORE_COMMAND,
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    recovery_target_inclusive: 'on',
    recovery_min_apply_delay: '0',
    ...targetSettings(target),
    // Connections during the recovery would need the same limits (max_connections and others) as the original server had.
    hot_standby: 'off',
    // An interrupted recovery is repeated from the backup; all files are synced at its end.
    fsync: 'off',
    log_startup_progress_interval: '1s',
  };
}

/** The files of the cluster may set any of these. */
const TARGETS = [
  'recovery_target',
  'recovery_target_lsn',
  'recovery_target_name',
  'recovery_target_time',
  'recovery_target_xid',
];

/** PostgreSQL accepts a target only after the empty ones. */
function targetSettings(target: RecoveryTarget): Record<string, string> {
  const own: Record<string, string> = {
    ...(target.kind === 'backup' && { recovery_target: 'immediate' }),
    ...(target.kind === 'time' && { recovery_target_time: timestamp(target.time) }),
  };
  const others = TARGETS.filter((name) => !(name in own));
  return { ...Object.fromEntries(others.map((name) => [name, ''])), ...own };
}

/** PostgreSQL does not know `Z` as a time zone when it reads this setting. */
function timestamp(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '+00');
}

async function hasTablespaces(directory: string): Promise<boolean> {
  const names = await readdir(join(directory, 'pg_tblspc')).catch(() => []);
  return names.length > 0;
}
