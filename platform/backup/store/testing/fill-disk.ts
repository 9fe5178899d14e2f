/**
 * A program that fills a disk: `node fill-disk.ts <folder> <folder | file>`. Prints the error of the store as JSON, and
 * the values that it can still read.
 */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../archive-store.ts';
import { openFileStore } from '../file.ts';
import { openFolderStore } from '../folder.ts';

const VALUE_BYTES = 100_000;
const MAX_VALUES = 1000;

async function fill(store: ArchiveStore): Promise<{ kind: string; message: string; written: number }> {
  const value = randomBytes(VALUE_BYTES);
  for (let written = 0; written < MAX_VALUES; written++) {
    try {
      await store.put(`chunks/${written}`, value);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      for (let index = 0; index < written; index++)
        if (!(await store.get(`chunks/${index}`)).equals(value)) throw new Error(`value ${index} is damaged`);
      return { kind: error.kind, message: error.message, written };
    }
  }
  throw new Error('the disk was never full');
}

const [folder = '', kind = ''] = process.argv.slice(2);
const path = join(folder, kind === 'file' ? 'backup.tar' : 'archive');
const store = kind === 'file' ? openFileStore(path) : openFolderStore(path);
const result = await fill(store);
// The space of the failed value is free again.
if (store.kind === 'folder') await store.put('small', randomBytes(10));
await store.close();
const files = await readdir(folder, { recursive: true });
process.stdout.write(
  JSON.stringify({ ...result, partial: files.filter((file) => file.endsWith('.partial')) }),
);
