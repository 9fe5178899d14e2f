/** Opens each kind of store, empty, for tests of their common behaviour. */
import { mkdtemp, readdir, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskStore } from '../disk.ts';
import type { ObjectStore } from '../object-store.ts';
import { openS3Store } from '../s3.ts';
import { startS3Server } from './s3-server.ts';

export interface OpenedStore {
  store: ObjectStore;
  /** Removes all content, also in quarantine, and the instance id. Much faster than to open another store. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Names of stores and the functions that open them. */
export const TEST_STORES = [
  ['on disk', openOnDisk],
  ['in an S3 store', openOnS3],
] as const;

async function openOnDisk(): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-store-'));
  const store = await openDiskStore(folder);
  return {
    store,
    async empty() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      await Promise.all(files.map(({ parentPath, name }) => unlink(join(parentPath, name))));
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openOnS3(): Promise<OpenedStore> {
  const server = await startS3Server();
  const store = openS3Store(server.config);
  return {
    store,
    empty: async () => server.empty(),
    close: async () => {
      await store.close();
      await server.close();
    },
  };
}
