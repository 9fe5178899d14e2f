/** Downloads what a function imports from registries and hosts, so that its processes only load it. */
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProjectFunction } from '@greenroom/project';
import type { ProcessUser } from '../process-user.ts';
import { StartFailure } from '../start-failure.ts';
import { alternativeOf } from './alternatives.ts';
import { type DownloadLimits, excessIn, findExcess } from './download-limits.ts';
import type { DownloadSources } from './download-sources.ts';
import { DENO_ENVIRONMENT } from './module-graph.ts';
import type { PreparedFunction } from './prepared-function.ts';
import { type ProgramFailure, type ProgramRunner, runProgram } from './run-program.ts';
import { isUnresolved } from './unresolved-import.ts';

/** Options of {@link download}. */
interface DownloadOptions {
  source: Pick<ProjectFunction, 'name'>;
  /** Paths in the copy. Its cache receives the modules. */
  places: Pick<PreparedFunction, 'folder' | 'entry' | 'config' | 'cache' | 'lock'>;
  /** Imports that need the network. */
  specifiers: readonly string[];
  /** Content of the project's lock file; undefined if it has none. */
  locked: Buffer | undefined;
  sources: DownloadSources;
  runner: ProgramRunner;
  user: ProcessUser | undefined;
  limits: DownloadLimits;
}

/** Downloads modules and packages. Rejects with {@link StartFailure}, which names the imports and their alternatives. */
export async function download(options: DownloadOptions): Promise<void> {
  const { places, locked, sources, user } = options;
  if (locked) await writeFile(places.lock, locked);
  if (user)
    await Promise.all([places.cache, ...(locked ? [places.lock] : [])].map((path) => give(path, user)));
  const caFile = await copyCertificates(sources.caFile, places.folder);
  const args = [
    'cache',
    '--quiet',
    `--lock=${places.lock}`,
    `--allow-import=${sources.hosts.join(',')}`,
    '--config',
    places.config,
    places.entry,
  ];
  const env = {
    ...sources.environment,
    ...sources.registries,
    ...(caFile && { DENO_CERT: caFile }),
    DENO_DIR: places.cache,
    ...DENO_ENVIRONMENT,
  };
  await runLimited(options, { args, env });
  if (caFile) await rm(caFile);
}

/** Runs the program until it ends, or exceeds a limit. */
async function runLimited(
  options: DownloadOptions,
  { args, env }: { args: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<void> {
  const { places, runner, user, limits } = options;
  const { cache } = places;
  const [exceeded, ended] = [new AbortController(), new AbortController()];
  let watch: Promise<string | undefined> | undefined;
  const onStart = (pid: number) => {
    watch = findExcess(pid, cache, { limits, signal: ended.signal });
    void watch.then((excess) => excess !== undefined && exceeded.abort());
  };
  const signal = AbortSignal.any([exceeded.signal, ...(runner.signal ? [runner.signal] : [])]);
  const { timeoutMs } = limits;
  const failure = await runProgram({ ...runner, signal }, { args, env, user, timeoutMs, onStart }).then(
    () => undefined,
    (error: ProgramFailure) => error,
  );
  ended.abort();
  runner.signal?.throwIfAborted();
  const excess = (await watch) ?? (failure === undefined ? await excessIn(cache, limits) : undefined);
  if (excess !== undefined) throw new StartFailure(notDownloaded(excess, options, 'Replace these imports:'));
  if (failure !== undefined) throw new StartFailure(reasonOf(failure, options));
}

function give(path: string, { uid, gid }: ProcessUser): Promise<void> {
  return chown(path, uid, gid);
}

/** The user of the function may not be able to read the file. */
async function copyCertificates(caFile: string | undefined, folder: string): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  const certificates = await readFile(caFile).catch((error: Error) => {
    throw new StartFailure(
      `the certificates for downloads (GREENROOM_FUNCTIONS_CA_FILE, DENO_CERT or NODE_EXTRA_CA_CERTS) cannot be read: ${error.message}`,
    );
  });
  const copy = join(folder, 'authorities.pem');
  await writeFile(copy, certificates, { mode: 0o644 });
  return copy;
}

const REFUSED_HOST = /Requires import access to "(?<host>[^"]+)"/;
const CHANGED = /^error: Integrity check failed/m;

function reasonOf(error: ProgramFailure, options: DownloadOptions): string {
  const { places, limits } = options;
  const folder = `${pathToFileURL(join(places.folder, 'source')).href}/`;
  const details = (error.stderr?.trim() || error.message).replaceAll(folder, '');
  const host = REFUSED_HOST.exec(details)?.groups?.host;
  if (host !== undefined)
    return `${details}\nModules of ${host} are downloaded if GREENROOM_FUNCTIONS_IMPORT_HOSTS names it.`;
  if (CHANGED.test(details))
    return `${details}\nThe module is not the one whose checksum deno.lock or the registry has. Update deno.lock only for a change that you trust.`;
  if (isUnresolved(details)) return details;
  if (!error.killed) return notDownloaded(details, options);
  const limit = `${limits.timeoutMs / 1000} s, see GREENROOM_FUNCTIONS_DOWNLOAD_SECONDS`;
  return notDownloaded(`the download did not end within ${limit}`, options);
}

function notDownloaded(
  reason: string,
  { source, specifiers }: DownloadOptions,
  intro = 'Without the network, replace these imports:',
): string {
  const advice = specifiers.map((specifier) => `\n- ${specifier}: ${alternativeOf(specifier)}`).join('');
  return `modules of function ${source.name} cannot be downloaded: ${reason}\n${intro}${advice}`;
}
