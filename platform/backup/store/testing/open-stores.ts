/** Opens each kind of store, empty, for tests of their common behaviour. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveStore } from '../archive-store.ts';
import { openFolderStore } from '../folder.ts';
import { openS3Store } from '../s3/s3.ts';
import { startTestS3 } from './s3-server.ts';

export interface OpenedStore {
  store: ArchiveStore;
  /** Text that the store's location contains. */
  place: string;
  /** Removes all values. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Names of stores and the functions that open them. */
export const TEST_STORES = [
  ['in a folder', openTestFolder],
  ['in a bucket', openTestBucket],
] as const;

/** Opens a store in a new folder. */
async function openTestFolder(): Promise<OpenedStore & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
  const store = openFolderStore(folder);
  return {
    store,
    folder,
    place: folder,
    async empty() {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** Opens a store in an empty bucket of a new server. */
async function openTestBucket(): Promise<OpenedStore> {
  const server = await startTestS3();
  const store = openS3Store(server.place);
  return {
    store,
    place: 'bucket archive (some/prefix/) of http',
    empty: async () => server.empty(),
    async close() {
      await store.close();
      await server.close();
    },
  };
}
