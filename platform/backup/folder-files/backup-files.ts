/**
 * Backs up the small files of a data folder: keys, remembered settings, the configuration of PostgreSQL, extensions and
 * certificates. Database and content have their own parts of a backup.
 */
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Piece } from '../archive/chunks/chunk-reader.ts';
import { CHUNK_BYTES, type ChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { writeIndex } from '../archive/chunks/index-file.ts';
import type { DatabaseEntry } from '../database/database-index.ts';

/** Names at the top of a data folder that are no settings: other parts, the log, and files of running processes. */
const OTHERS =
  /^(?:postgres(?:\..*)?|storage|functions|logs|history\.json|verifying|lock|instance\.json|\.gitignore|.*\.log(?:\..*)?|.*\.partial)$/;
/** The file of the store that ties it to its database. */
const STORE_ID = 'storage/instance-id';

/** Stores the files. Returns the ids of the chunks of their index. */
export async function backupFolderFiles(dataFolder: string, writer: ChunkWriter): Promise<string[]> {
  const names = (await readdir(dataFolder)).filter((name) => !OTHERS.test(name));
  const entries: DatabaseEntry[] = [];
  for (const name of [...names.toSorted(), STORE_ID]) await addPath(entries, name, dataFolder, writer);
  return writeIndex(writer, entries);
}

/** Links are left out: their targets belong to others. */
async function addPath(
  entries: DatabaseEntry[],
  path: string,
  dataFolder: string,
  writer: ChunkWriter,
): Promise<void> {
  const found = await lstat(join(dataFolder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const mode = found && found.mode & 0o777;
  if (mode === undefined) return;
  if (found?.isDirectory()) {
    entries.push({ path, mode });
    for (const name of (await readdir(join(dataFolder, path))).toSorted())
      await addPath(entries, `${path}/${name}`, dataFolder, writer);
  }
  if (found?.isFile()) entries.push({ path, mode, ...(await storeFile(join(dataFolder, path), writer)) });
}

async function storeFile(path: string, writer: ChunkWriter): Promise<{ size: number; pieces: Piece[] }> {
  const pieces: Piece[] = [];
  let size = 0;
  for await (const part of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    pieces.push([await writer.write(part), 0, part.length]);
    size += part.length;
  }
  return { size, pieces };
}
