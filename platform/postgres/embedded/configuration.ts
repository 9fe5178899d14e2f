/**
 * Configuration files of the embedded server: defaults that depend on the machine's memory, then the parameters of the
 * start, then the user's own file; later ones override earlier ones. Settings that Greenroom depends on are on the
 * command line (server-process.ts) and override all of them.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import { type CheckOptions, checkConfiguration } from './check-configuration.ts';
import { availableBytes } from './memory-limit.ts';
import type { RunAs } from './run-as.ts';

/** The main file, in the folder of the cluster. */
export const CONFIGURATION_FILE = 'greenroom.conf';
/** Copy of the user's file, because the server's user may not be allowed to read the original. */
const USER_COPY = 'greenroom.user.conf';
/** The same two files while they are being checked. */
const CHECKED_FILE = 'greenroom.checked.conf';
const CHECKED_COPY = 'greenroom.checked.user.conf';

const MEGABYTE = 1024 * 1024;

/**
 * Returns the defaults for a machine with this much memory (default: this machine). Users may override each of them.
 */
export function defaultSettings(bytes = availableBytes()): Record<string, string> {
  const share = (divisor: number, min: number, max: number) =>
    `${Math.min(max, Math.max(min, Math.floor(bytes / divisor / MEGABYTE)))}MB`;
  return {
    // At most PostgreSQL's own default: this server shares its machine with Node.js, the file cache holds the rest, and the
    // server needs memory for the description of each buffer even while it has no work.
    shared_buffers: share(64, 64, 128),
    maintenance_work_mem: share(64, 64, 512),
    // Settings that affect (and appear in) query plans do not depend on the memory, so a query has the same plan on
    // every machine. The hosted service's local stack plans with 128 MB; work_mem, hash_mem_multiplier and the costs
    // are PostgreSQL's defaults.
    effective_cache_size: '128MB',
    max_connections: '100',
    max_wal_size: '1GB',
    // As many as one statement reads ahead (effective_io_concurrency). The server reserves memory for each in every slot of
    // a connection; its own default is 64.
    io_max_concurrency: '16',
    // Backends read on their own, with the read-ahead of the operating system, as before PostgreSQL 18. The workers that read for
    // them are three processes, and share the two processors of a small machine with the backends.
    io_method: 'sync',
    // Statistics of statements. Those of utility statements would contain passwords of roles.
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_utility': 'off',
    // The server fills the memory of all of them at its start: 2 MB for the default of 5,000.
    'pg_stat_statements.max': '1000',
    // Plans contain the query id, also if the library is not loaded.
    compute_query_id: 'on',
    // Statements of the data API are longer than the default: 1.6 kB for an embed of three levels. The server fills this memory for
    // every connection at its start.
    track_activity_query_size: '8kB',
    timezone: 'UTC',
    log_checkpoints: 'off',
  };
}

/** Options of {@link writeConfiguration}. */
interface ConfigurationOptions {
  /** Folder of the cluster. */
  directory: string;
  /** The user's file, which need not exist. */
  userFile: string | undefined;
  /** Override the defaults. */
  parameters: Readonly<Record<string, string>>;
  runAs: RunAs | undefined;
  /** The server that reads the files. */
  server: Omit<CheckOptions, 'directory' | 'runAs' | 'configurationFile' | 'userFile' | 'userCopy'>;
}

/**
 * Writes the files if PostgreSQL accepts them; otherwise keeps the files of the last start. Rejects if the user's file
 * exists but cannot be read, and with a ConfigurationError that names file and line if it has errors.
 */
export async function writeConfiguration(options: ConfigurationOptions): Promise<void> {
  const { directory, userFile, runAs } = options;
  const content = await readUserFile(userFile);
  const write = (name: string, text: string) =>
    writeFileAtomically(join(directory, name), text, 0o600, runAs);
  // Without parameters and settings, no check is needed, which makes the start faster.
  const hasParameters = Object.keys(options.parameters).length > 0;
  if (hasParameters || /^\s*[^\s#]/m.test(content)) await check(options, content, write);
  await write(USER_COPY, content);
  await write(CONFIGURATION_FILE, mainFile(USER_COPY, options.parameters));
}

async function check(
  { directory, userFile, parameters, runAs, server }: ConfigurationOptions,
  content: string,
  write: (name: string, text: string) => Promise<void>,
): Promise<void> {
  try {
    await write(CHECKED_COPY, content);
    await write(CHECKED_FILE, mainFile(CHECKED_COPY, parameters));
    await checkConfiguration({
      ...server,
      directory,
      runAs,
      configurationFile: CHECKED_FILE,
      userFile: userFile === undefined ? undefined : { path: userFile, content },
      userCopy: CHECKED_COPY,
    });
  } finally {
    await Promise.all([CHECKED_FILE, CHECKED_COPY].map((name) => rm(join(directory, name), { force: true })));
  }
}

function mainFile(userCopy: string, parameters: Readonly<Record<string, string>>): string {
  const settings = Object.entries({ ...defaultSettings(), ...parameters }).map(
    ([name, value]) => `${name} = '${value}'`,
  );
  const lines = [
    '# Written at each start. Put your settings into postgresql.conf of the data folder instead.',
    "include 'postgresql.conf'",
    ...settings,
    `include '${userCopy}'`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the message of a failed start with the path of the user's file in place of its copy. */
export function withUserFile(
  message: string,
  { directory, userFile }: Pick<ConfigurationOptions, 'directory' | 'userFile'>,
): string {
  if (userFile === undefined) return message;
  // The server may refer to its folder by a path relative to its working directory.
  return message
    .replaceAll(join(directory, USER_COPY), userFile)
    .replaceAll(new RegExp(`[^"' ]*${USER_COPY.replaceAll('.', '\\.')}`, 'g'), userFile);
}

async function readUserFile(path: string | undefined): Promise<string> {
  if (path === undefined) return '';
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new Error(`${path} cannot be read: ${message}`, { cause: error });
  }
}
