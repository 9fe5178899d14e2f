/** Declares the storage service. `open` loads the implementation. */
import type { Service } from '@greenroom/service';
import { STORAGE_ROLE } from './roles.ts';
import { type StorageConfig, storageSettings } from './settings.ts';

export const storageService = {
  name: 'storage',
  settings: storageSettings,
  migrations: {
    service: 'storage',
    directory: new URL('./migrations/', import.meta.url),
    // Databases that were migrated with this checksum are brought up to date by 0006_lists_again.sql.
    otherChecksums: {
      '0002_lists': ['c690128b927cbd3b3cf20d2165666dcd06d20826763b1af1c7d3d63f6bf787ab'],
    },
  },
  roles: [STORAGE_ROLE],
  beforeNewDatabase: (context) => load().then((module) => module.requireNewStore(context)),
  load,
  open: (context) => load().then((module) => module.open(context)),
} satisfies Service<'storage', StorageConfig>;

function load() {
  return import('./open.ts');
}
