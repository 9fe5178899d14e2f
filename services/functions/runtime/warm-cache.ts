/** Fills the cache of a prepared function with its compiled code, so that its first process starts fast. */
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessUser } from '../process-user.ts';
import type { FunctionsConfig } from '../settings.ts';
import { exists } from '../source/prepare.ts';
import type { PreparedFunction } from '../source/prepared-function.ts';
import { yieldToOthers } from '../source/run-program.ts';
import type { RunFolder } from './run-folder.ts';
import { Worker } from './worker.ts';
import { socketIn, workerCommand } from './worker-command.ts';

const WARM_MS = 10_000;
/** With low priority, e.g. on a busy machine. */
const WARM_IN_BACKGROUND_MS = 30_000;
/** File of a copy whose cache is filled. */
const MARKER = 'warm';

/** With them, clients of the API are created, so that their code is compiled. */
const STAND_INS = {
  SUPABASE_URL: 'http://instance.invalid',
  SUPABASE_ANON_KEY: 'warm-up',
  SUPABASE_SERVICE_ROLE_KEY: 'warm-up',
};

/** Options of {@link warmCache}. */
interface WarmOptions {
  name: string;
  prepared: PreparedFunction;
  config: FunctionsConfig;
  program: readonly string[];
  runFolder: RunFolder;
  user: ProcessUser | undefined;
  /** Ends the run. */
  signal: AbortSignal;
  /** Whether other processes have priority. */
  isBackground: boolean;
}

/**
 * Runs the modules of the function once, without its secrets and without a network, so that it has no effect. Does
 * nothing if that was done before. A function that fails then starts with the code that was compiled until its failure.
 * Rejects if the signal aborts.
 */
export async function warmCache(options: WarmOptions): Promise<void> {
  const { name, prepared, config, program, runFolder, user, signal, isBackground } = options;
  const marker = join(prepared.folder, MARKER);
  if (await exists(marker)) return;
  const folder = await runFolder.create(user);
  await mkdir(prepared.cache, { recursive: true });
  await changeOwner(prepared.cache, user);
  const command = workerCommand({
    name,
    prepared,
    config,
    program,
    folder,
    cache: prepared.cache,
    user,
    api: { apiSocket: socketIn(folder), apiOrigins: [] },
    environment: STAND_INS,
    isWarmUp: true,
  });
  const { memoryBytes, diskBytes } = config;
  const lifeMs = isBackground ? WARM_IN_BACKGROUND_MS : WARM_MS;
  const limits = { memoryBytes, diskBytes, cpuMs: Infinity, startMs: lifeMs, lifeMs, responseMs: lifeMs };
  signal.throwIfAborted();
  const worker = new Worker({
    command,
    socket: socketIn(folder),
    folders: [folder, prepared.cache],
    limits,
    output: { onLine: () => undefined, onDropped: () => undefined },
    onEnd: () => undefined,
  });
  if (isBackground) yieldToOthers(worker.pid);
  const stop = () => worker.kill('stopped');
  signal.addEventListener('abort', stop);
  await worker.ended;
  signal.removeEventListener('abort', stop);
  await rm(folder, { recursive: true, force: true });
  await changeOwner(prepared.cache, user && { uid: 0, gid: 0 });
  signal.throwIfAborted();
  await writeFile(marker, '');
}

/** Gives files of a cache to a user. Processes of functions run as another one, which only reads them. */
async function changeOwner(cache: string, user: ProcessUser | undefined): Promise<void> {
  if (user === undefined) return;
  await chown(cache, user.uid, user.gid);
  for (const entry of await readdir(cache, { withFileTypes: true }))
    if (entry.isFile()) await chown(join(cache, entry.name), user.uid, user.gid);
}
