/** Writes the small files of a data folder from a backup. */
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChunkReader } from '../archive/chunks/chunk-reader.ts';
import { readIndex } from '../archive/chunks/index-file.ts';
import { parseDatabaseEntry } from '../database/database-index.ts';

/** Writes the files into an existing folder. @param index ids of the chunks of the index */
export async function restoreFolderFiles(
  dataFolder: string,
  reader: ChunkReader,
  index: readonly string[],
): Promise<void> {
  for await (const { path, mode, pieces } of readIndex(reader, index, parseDatabaseEntry)) {
    const target = join(dataFolder, path);
    await mkdir(pieces === undefined ? target : dirname(target), { recursive: true, mode: 0o700 });
    if (pieces === undefined) continue;
    const file = await open(target, 'wx', mode);
    try {
      for await (const bytes of reader.stream(pieces)) await file.write(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
