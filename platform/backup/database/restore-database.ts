/** Writes the files of a backup's database into a new folder. */
import { chmod, chown, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createClusterFolder, type RunAs } from '@greenroom/postgres';
import type { ChunkReader } from '../archive/chunks/chunk-reader.ts';
import { readIndex } from '../archive/chunks/index-file.ts';
import { type DatabaseEntry, parseDatabaseEntry } from './database-index.ts';

/** Files that are written at the same time. */
const CONCURRENT_FILES = 4;

/** Options of {@link restoreDatabase}. */
interface RestoreDatabaseOptions {
  reader: ChunkReader;
  /** Ids of the chunks of the index. */
  index: readonly string[];
  /** Folder of the cluster, which must be empty or absent. */
  directory: string;
  /** Called with the number of bytes written so far. */
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Writes all files with their permissions, owned by the user that PostgreSQL runs as. They are not synced: a recovery does
 * that at its end. Returns the real path of the cluster.
 */
export async function restoreDatabase(options: RestoreDatabaseOptions): Promise<string> {
  const { reader, index, signal, onProgress } = options;
  const { directory, runAs } = await createClusterFolder(options.directory);
  const entries = readIndex(reader, index, parseDatabaseEntry);
  let written = 0;
  const onWritten = (bytes: number) => {
    written += bytes;
    onProgress?.(written);
  };

  /** Takes entries until there are none; an error of one worker ends all, because it ends the iteration. */
  async function work(): Promise<void> {
    try {
      for (let next = await entries.next(); !next.done; next = await entries.next()) {
        signal?.throwIfAborted();
        await writeEntry(next.value, { reader, directory, runAs, onWritten });
      }
    } catch (error) {
      await entries.return(undefined);
      throw error;
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: CONCURRENT_FILES }, work));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return directory;
}

interface WriteContext {
  reader: ChunkReader;
  directory: string;
  runAs: RunAs | undefined;
  onWritten: (bytes: number) => void;
}

async function writeEntry(entry: DatabaseEntry, context: WriteContext): Promise<void> {
  const { directory, runAs } = context;
  const path = join(directory, entry.path);
  if (entry.pieces !== undefined) return writeFile(path, entry.pieces, { ...context, mode: entry.mode });
  await makeFolder(path, context);
  await chmod(path, entry.mode);
  if (runAs) await chown(path, runAs.uid, runAs.gid);
}

/** A parent may be created by a file in it, before its own entry is reached. */
async function makeFolder(path: string, { runAs }: WriteContext): Promise<void> {
  const created = await mkdir(path, { recursive: true, mode: 0o700 });
  if (runAs && created !== undefined) await chown(created, runAs.uid, runAs.gid);
}

async function writeFile(
  path: string,
  pieces: NonNullable<DatabaseEntry['pieces']>,
  context: WriteContext & { mode: number },
): Promise<void> {
  const { reader, runAs, mode, onWritten } = context;
  const file = await openNew(path, context);
  try {
    for await (const bytes of reader.stream(pieces)) {
      await file.write(bytes);
      onWritten(bytes.length);
    }
    await file.chmod(mode);
    if (runAs) await file.chown(runAs.uid, runAs.gid);
  } finally {
    await file.close();
  }
}

async function openNew(path: string, context: WriteContext) {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await makeFolder(join(path, '..'), context);
    return open(path, 'wx', 0o600);
  }
}
