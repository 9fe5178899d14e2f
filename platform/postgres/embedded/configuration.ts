/**
 * Configuration files of the embedded server: defaults that follow the machine's memory, then the user's own file, which
 * wins. Settings that Greenroom depends on are on the command line, see server-process.ts, and win over both.
 */
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { availableBytes } from './memory-limit.ts';
import type { RunAs } from './run-as.ts';

/** The main file, in the folder of the cluster. */
export const CONFIGURATION_FILE = 'greenroom.conf';
/** Copy of the user's file, since the server's user may not be allowed to read the original. */
const USER_COPY = 'greenroom.user.conf';

const MEGABYTE = 1024 * 1024;

/** Defaults for a machine with this much memory, or this machine. Users may change each of them. */
export function defaultSettings(bytes = availableBytes()): Record<string, string> {
  const share = (divisor: number, least: number, most: number) =>
    `${Math.min(most, Math.max(least, Math.floor(bytes / divisor / MEGABYTE)))}MB`;
  return {
    // A smaller share than usual: this server shares its machine with Node.js, and the file cache holds the rest.
    shared_buffers: share(64, 64, 512),
    effective_cache_size: share(8, 128, 16_384),
    maintenance_work_mem: share(64, 64, 512),
    work_mem: share(2048, 4, 16),
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
export interface ConfigurationOptions {
  /** Folder of the cluster. */
  directory: string;
  /** File of the user, which need not exist. */
  userFile: string | undefined;
  runAs: RunAs | undefined;
}

/** Writes the files. Rejects if the user's file exists but cannot be read. */
export async function writeConfiguration({
  directory,
  userFile,
  runAs,
}: ConfigurationOptions): Promise<void> {
  const settings = Object.entries(defaultSettings()).map(([name, value]) => `${name} = '${value}'`);
  const lines = [
    '# Written at each start. Put your settings into postgresql.conf of the data folder instead.',
    "include 'postgresql.conf'",
    ...settings,
    `include '${USER_COPY}'`,
  ];
  await write(join(directory, USER_COPY), await readUserFile(userFile), runAs);
  await write(join(directory, CONFIGURATION_FILE), `${lines.join('\n')}\n`, runAs);
}

/** The message of a failed start, with the user's file in place of its copy. */
export function namingUserFile(message: string, { directory, userFile }: ConfigurationOptions): string {
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

async function write(path: string, text: string, runAs: RunAs | undefined): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  if (runAs) await chown(path, runAs.uid, runAs.gid);
}
