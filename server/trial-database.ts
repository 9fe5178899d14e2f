/** A new database for a short time, to find out whether statements can be applied. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from '@greenroom/log';
import { startEmbeddedPostgres, withSystemSearchPath } from '@greenroom/postgres';
import type { ProjectToRun } from '@greenroom/project';
import { findDatabaseTemplate } from './database-template.ts';
import { extensionPlaces } from './extension-places.ts';
import { prepareDatabase } from './instance-database.ts';
import type { Config } from './settings.ts';

/** Options of {@link withTrialDatabase}. */
interface TrialOptions {
  config: Pick<Config, 'dataDirectory' | 'databaseParameters' | 'databaseMemoryLimitMb'>;
  /** Its extensions are available; its migrations are not applied. */
  toRun: ProjectToRun;
  log: Logger;
  /** Chooses the port. Called again if another process takes it meanwhile. */
  choosePort: () => Promise<number>;
}

/**
 * Runs `work` with the URL of the owner of a database with the migrations of all services. The database has the settings
 * and extensions of the instance, whose data folder is only read, and is removed afterwards.
 */
export async function withTrialDatabase(
  options: TrialOptions,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { config, toRun, log, choosePort } = options;
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-trial-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // The user of PostgreSQL must be able to enter the folder.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  const { added, project } = extensionPlaces(config.dataDirectory, toRun.project);
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    choosePort,
    password: randomBytes(24).toString('base64url'),
    userConfiguration: join(resolve(config.dataDirectory), 'postgresql.conf'),
    extensionFolders: [added, ...(project === undefined ? [] : [project])],
    parameters: config.databaseParameters,
    memoryLimitMb: config.databaseMemoryLimitMb,
    findTemplate: findDatabaseTemplate,
    onLog: (line) => log.debug({ postgres: line }, 'postgres'),
  });
  opened.defer(() => postgres.stop());
  const secret = randomBytes(24).toString('base64url');
  const admin = withSystemSearchPath(postgres.superuser.localUrl);
  await prepareDatabase(admin, { secret, isNew: true, onProgress: () => {} });
  await work(postgres.localUrl);
}
