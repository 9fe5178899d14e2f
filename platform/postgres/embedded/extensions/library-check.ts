/**
 * Checks libraries by loading each in a scratch server of the same PostgreSQL: only the loader knows whether a library
 * fits the server, the C library and the other libraries of this system. A running instance is not involved, because a
 * library that does not fit may crash its server.
 */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from '../binaries.ts';
import { ensureClusterDirectory, pathForServer } from '../cluster-directory.ts';
import { SUPERUSER } from '../roles/role-names.ts';
import { type RunAs, spawnOptions } from '../run-as.ts';
import { explainLoadError } from './explain-load-error.ts';
import { LIBRARY_SUFFIX } from './find-files.ts';
import { extensionSettings, installExtensions } from './install.ts';

const run = promisify(execFile);

/** Options of {@link checkLibraries}. */
interface LibraryCheckOptions {
  /** Folders whose extensions the scratch server has. */
  folders: readonly string[];
  /** File names of the libraries to load. */
  libraries: readonly string[];
  binaries: Pick<Binaries, 'postgres' | 'initdb'>;
  runAs: RunAs | undefined;
}

/** The result of a check. */
interface LibraryCheck {
  /** Libraries that cannot be loaded into this PostgreSQL; each with the reason. */
  errors: string[];
  /** Messages of libraries that were loaded, and reported an error when they initialised. */
  warnings: string[];
}

/** Loads each library in a new process of a scratch server. */
export async function checkLibraries(options: LibraryCheckOptions): Promise<LibraryCheck> {
  const { libraries, binaries, runAs } = options;
  const checked: LibraryCheck = { errors: [], warnings: [] };
  if (libraries.length === 0) return checked;
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-library-check-'));
  try {
    await chmod(folder, 0o711);
    const cluster = await createScratchCluster(join(folder, 'postgres'), options);
    for (const library of libraries) {
      const output = await load(library.slice(0, -LIBRARY_SUFFIX.length), { cluster, binaries, runAs });
      const result = explainLoadError(library, output);
      if (result !== undefined) checked[result.kind].push(result.message);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return checked;
}

async function createScratchCluster(path: string, options: LibraryCheckOptions): Promise<string> {
  const { binaries, folders, runAs } = options;
  const cluster = await ensureClusterDirectory(path, runAs);
  const server = await pathForServer(cluster, runAs);
  const args = [`--pgdata=${server}`, `--username=${SUPERUSER}`, '--auth=reject', '--locale=C', '--no-sync'];
  await run(binaries.initdb, args, { ...spawnOptions(runAs), cwd: cluster });
  await installExtensions({ cluster, folders, binaries, runAs });
  return cluster;
}

interface ScratchServer {
  cluster: string;
  binaries: Pick<Binaries, 'postgres'>;
  runAs: RunAs | undefined;
}

/** Loads a library in a single-user server and returns the server's log. */
async function load(library: string, { cluster, binaries, runAs }: ScratchServer): Promise<string> {
  const path = await pathForServer(cluster, runAs);
  const settings = { ...extensionSettings(path), log_line_prefix: '', log_min_error_statement: 'panic' };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const options = { ...spawnOptions(runAs), cwd: cluster };
  const child = spawn(binaries.postgres, ['--single', '-D', path, ...args, 'postgres'], options);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  child.stdout.resume();
  // A library may end the process before it reads its input.
  child.stdin.on('error', () => undefined).end(`LOAD '${library.replaceAll("'", "''")}';\n`);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (...result) => resolve(result));
  });
  return signal === null && code !== null ? log : `${log}\nFATAL:  the process ended with ${signal}`;
}
