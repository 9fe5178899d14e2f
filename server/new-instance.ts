/** Refuses to initialise the data folder of an existing instance whose database or keys are missing. */
import { access } from 'node:fs/promises';
import { type DataFolder, readInstanceRecord } from '@greenroom/data-folder';
import { allServices } from './services.ts';
import type { Config } from './settings.ts';

/** The configuration and the data folder, which show whether an instance already exists. */
interface InstanceContext {
  config: Config;
  folder: Pick<DataFolder, 'path' | 'at'>;
}

/** The data folder belongs to an instance that has run before, but its embedded database is missing. */
class DatabaseMissingError extends Error {
  override readonly name = 'DatabaseMissingError';

  constructor(path: string) {
    super(
      `${path} contains the keys of an instance, but its database (folder "postgres") is missing.\n` +
        'Restore that folder, or set DATABASE_URL if the database has moved.\n' +
        'To start with an empty database instead, set GREENROOM_ADOPT_STORE=true for one start: ' +
        'files are kept, accounts and data are lost.',
    );
  }
}

/** The data folder has the database of an instance, but not its keys. */
class KeysMissingError extends Error {
  override readonly name = 'KeysMissingError';

  constructor(path: string) {
    super(
      `${path} contains the database of an instance, but its file "keys.json" is missing.\n` +
        'Restore that file from a backup: it contains the password of the database and the keys of all tokens and secrets.',
    );
  }
}

/**
 * Called before keys are created. Throws {@link KeysMissingError} if a database exists: an instance creates its keys
 * before its database, so the keys were lost.
 */
export async function requireKeysOfDatabase({ config, folder }: KeyContext): Promise<void> {
  if (config.databaseUrl !== undefined || (await exists(folder.at('keys.json')))) return;
  if (await exists(folder.at('postgres/PG_VERSION'))) throw new KeysMissingError(folder.path);
}

interface KeyContext {
  config: Pick<Config, 'databaseUrl'>;
  folder: Pick<DataFolder, 'path' | 'at'>;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Called before a new database is created or filled. Rejects with {@link DatabaseMissingError}, or with the error of a
 * service whose content belongs to another database. Does nothing with GREENROOM_ADOPT_STORE, and resolves after an
 * interrupted first start, which leaves no more than keys.
 */
export async function requireNewInstance({ config, folder }: InstanceContext): Promise<void> {
  if (config.storage.orphans.isAdopting) return;
  const record = await readInstanceRecord(folder.path);
  // Only a start that has finished records the port. An external database may be new to a folder that was used with
  // others.
  const hadEmbeddedDatabase = config.databaseUrl === undefined && record?.databasePort !== undefined;
  if (hadEmbeddedDatabase) throw new DatabaseMissingError(folder.path);
  for (const service of allServices) {
    await service.beforeNewDatabase?.({ config: config[service.name], pathOf: (name) => folder.at(name) });
  }
}
