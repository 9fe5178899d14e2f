/**
 * Configuration files of the embedded server: defaults that follow the machine's memory, then the user's own file, which
 * wins. Settings that Greenroom depends on are on the command line, see server-process.ts, and win over both.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import { type CheckOptions, checkConfiguration } from './check-configuration.ts';
import { availableBytes } from './memory-limit.ts';
import type { RunAs } from './run-as.ts';

/** The main file, in the folder of the cluster. */
export const CONFIGURATION_FILE = 'greenroom.conf';
/** Copy of the user's file, since the server's user may not be allowed to read the original. */
const USER_COPY = 'greenroom.user.conf';
/** The same two while they are checked. */
const CHECKED_FILE = 'greenroom.checked.conf';
const CHECKED_COPY = 'greenroom.checked.user.conf';

const MEGABYTE = 1024 * 1024;

/** Defaults for a machine with this much memory, or this machine. Users may change each of them. */
export function defaultSettings(bytes = availableBytes()): Record<string, string> {
  const share = (divisor: number, least: number, most: number) =>
    `${Math.min(most, Math.max(least, Math.floor(bytes / divisor / MEGABYTE)))}MB`;
  return {
    // A smaller share than usual: this server shares its machine with Node.js, and the file cache holds the rest.
    shared_buffers: share(64, 64, 512),
    maintenance_work_mem: share(64, 64, 512),
    // What plans depend on (and list) does not follow the memory: a query has the same plan on every machine. 128 MB is
    // what the hosted service's local stack plans with; work_mem, hash_mem_multiplier and the costs are PostgreSQL's.
    effective_cache_size: '128MB',
    max_connections: '100',
    max_wal_size: '1GB',
    // Plans show it, and tools that measure statements need it.
    compute_query_id: 'on',
    // Statements of the data API are longer than the default.
    track_activity_query_size: '16kB',
    timezone: 'UTC',
    log_checkpoints: 'off',
  };
}

/** Options of {@link writeConfiguration}. */
interface ConfigurationOptions {
  /** Folder of the cluster. */
  directory: string;
  /** File of the user, which need not exist. */
  userFile: string | undefined;
  runAs: RunAs | undefined;
  /** The server that reads the files. */
  server: Omit<CheckOptions, 'directory' | 'runAs' | 'configurationFile' | 'userFile' | 'userCopy'>;
}

/**
 * Writes the files if PostgreSQL accepts them; otherwise those of the last start stay. Rejects if the user's file exists
 * but cannot be read, and with a ConfigurationError that names file and line if it has errors.
 */
export async function writeConfiguration(options: ConfigurationOptions): Promise<void> {
  const { directory, userFile, runAs } = options;
  const content = await readUserFile(userFile);
  const write = (name: string, text: string) =>
    writeFileAtomically(join(directory, name), text, 0o600, runAs);
  // Without settings there is nothing to check, and a start is quicker.
  if (/^\s*[^\s#]/m.test(content)) await check(options, content, write);
  await write(USER_COPY, content);
  await write(CONFIGURATION_FILE, mainFile(USER_COPY));
}

async function check(
  { directory, userFile, runAs, server }: ConfigurationOptions,
  content: string,
  write: (name: string, text: string) => Promise<void>,
): Promise<void> {
  try {
    await write(CHECKED_COPY, content);
    await write(CHECKED_FILE, mainFile(CHECKED_COPY));
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

function mainFile(userCopy: string): string {
  const settings = Object.entries(defaultSettings()).map(([name, value]) => `${name} = '${value}'`);
  const lines = [
    '# Written at each start. Put your settings into postgresql.conf of the data folder instead.',
    "include 'postgresql.conf'",
    ...settings,
    `include '${userCopy}'`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The message of a failed start, with the user's file in place of its copy. */
export function namingUserFile(
  message: string,
  { directory, userFile }: Pick<ConfigurationOptions, 'directory' | 'userFile'>,
): string {
  if (userFile === undefined) return message;
  // The server may know its folder as its working directory.
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
