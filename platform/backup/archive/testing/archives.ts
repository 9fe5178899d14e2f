/** Archives in new folders, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { openFolderStore } from '../../store/folder.ts';
import type { Archive } from '../archive.ts';
import { type CreateOptions, openOrCreateArchive } from '../open-archive.ts';

/** Much quicker than that of real archives. */
const SCRYPT_COST = 2;

export interface TestFolder {
  folder: string;
  store: ArchiveStore;
  close(): Promise<void>;
}

/** Opens a store in a new folder. */
export async function createTestFolder(): Promise<TestFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
  return { folder, store: openFolderStore(folder), close: () => rm(folder, { recursive: true }) };
}

/** Creates an archive, by default one without encryption, or opens the existing one. */
export function createTestArchive(
  store: ArchiveStore,
  secrets: CreateOptions['secrets'] = { noEncryption: true },
  options: Partial<CreateOptions> = {},
): Promise<Archive> {
  return openOrCreateArchive(store, {
    greenroomVersion: '0.1.0',
    scryptCost: SCRYPT_COST,
    ...options,
    secrets,
  });
}
