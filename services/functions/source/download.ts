/** Downloads what a function imports from registries and hosts, so that its processes only load it. */
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProjectFunction } from '@greenroom/project';
import type { ProcessUser } from '../process-user.ts';
import { StartFailure } from '../start-failure.ts';
import type { DownloadSources } from './download-sources.ts';
import { DENO_ENVIRONMENT } from './module-graph.ts';
import type { PreparedFunction } from './prepared-function.ts';
import { replacementOf } from './replacements.ts';
import { type ProgramFailure, type ProgramRunner, runProgram } from './run-program.ts';

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
  downloadTimeoutMs: number;
}

/** Downloads modules and packages. Rejects with {@link StartFailure}, which names the imports and their alternatives. */
export async function download(options: DownloadOptions): Promise<void> {
  const { places, locked, sources, runner, user, downloadTimeoutMs: timeoutMs } = options;
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
  await runProgram(runner, { args, env, user, timeoutMs }).catch((error: ProgramFailure) => {
    runner.signal?.throwIfAborted();
    throw new StartFailure(reasonOf(error, options));
  });
  if (caFile) await rm(caFile);
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

function reasonOf(
  error: ProgramFailure,
  { source, places, specifiers, downloadTimeoutMs }: DownloadOptions,
): string {
  const folder = `${pathToFileURL(join(places.folder, 'source')).href}/`;
  const details = (error.stderr?.trim() || error.message).replaceAll(folder, '');
  const host = REFUSED_HOST.exec(details)?.groups?.host;
  if (host !== undefined)
    return `${details}\nModules of ${host} are downloaded if GREENROOM_FUNCTIONS_IMPORT_HOSTS names it.`;
  if (CHANGED.test(details))
    return `${details}\nThe module is not the one whose checksum deno.lock or the registry has. Update deno.lock only for a change that you trust.`;
  const reason = error.killed ? `the download did not end within ${downloadTimeoutMs / 1000} s` : details;
  const advice = specifiers.map((specifier) => `\n- ${specifier}: ${alternativeOf(specifier)}`).join('');
  return `modules of function ${source.name} cannot be downloaded: ${reason}\nWithout the network, replace these imports:${advice}`;
}

/** Returns how a function does without a download. */
function alternativeOf(specifier: string): string {
  const replacement = replacementOf(specifier);
  if (replacement?.kind !== 'npm')
    return 'copy the module into supabase/functions/_shared and import it by its path, or use a package of npm';
  const { name, range } = replacement;
  return `npm install ${range === '*' ? name : JSON.stringify(`${name}@${range}`)}`;
}
