/** Writes all files of a cluster to the disk. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { pathForServer } from './cluster-directory.ts';
import { type RunAs, spawnOptions } from './run-as.ts';

const run = promisify(execFile);

/** Options of {@link syncCluster}. */
interface SyncOptions {
  /** Folder of a cluster that no server uses. */
  directory: string;
  binaries: Pick<Binaries, 'initdb'>;
  runAs: RunAs | undefined;
}

/** Resolves when everything that was written to the files survives a loss of power. */
export async function syncCluster({ directory, binaries, runAs }: SyncOptions): Promise<void> {
  const path = await pathForServer(directory, runAs);
  // Where the system can sync a whole file system, that is faster than to sync a thousand files.
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  await run(binaries.initdb, ['--sync-only', ...method, `--pgdata=${path}`], {
    ...spawnOptions(runAs),
    cwd: directory,
  });
}
