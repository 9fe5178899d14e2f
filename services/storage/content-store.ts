/** The content of objects for programs that back it up or restore it. */
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { StorageConfig } from './settings.ts';
import type { ContentName, ObjectStore } from './store/object-store.ts';
import { openStore } from './store/open-store.ts';

export type { StorageConfig } from './settings.ts';

const FOLDER = 'storage';
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** The content store of an instance, which may be running. */
export interface ContentStore {
  has(name: ContentName): Promise<boolean>;
  /** Opens content; undefined if it does not exist. */
  open(name: ContentName): Promise<Readable | undefined>;
  /** Writes content under its name. The instance must not be running, unless the name is new. */
  write(name: ContentName, content: Readable, contentType: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store that the settings select. */
export async function openContentStore(config: StorageConfig, dataDirectory: string): Promise<ContentStore> {
  const store = await openStore(config, join(resolve(dataDirectory), FOLDER));
  return {
    has: (name) => store.has(name),
    open: (name) => open(store, name),
    async write(name, content, contentType) {
      await store.write(name, content, { maxBytes: MAX_BYTES, contentType, cacheControl: 'no-cache' });
    },
    close: () => store.close(),
  };
}

async function open(store: ObjectStore, name: ContentName): Promise<Readable | undefined> {
  try {
    return await store.read(name);
  } catch (error) {
    if (await store.has(name)) throw error;
    return undefined;
  }
}
