/** New databases for a short time: to find out whether statements can be applied, and to compare schemas. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from '@greenroom/log';
import { openSession, startEmbeddedPostgres, withSystemSearchPath } from '@greenroom/postgres';
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

/** A server with a database that has the migrations of all services. */
export interface TrialServer {
  /** Connection URL of the owner of this database. */
  url: string;
  /** Copies the database, while no connection to it is open, and returns the URL of the copy. */
  copyDatabase(): Promise<string>;
}

/**
 * Runs `work` with the URL of the owner of a database with the migrations of all services. The database has the settings
 * and extensions of the instance, whose data folder is only read, and is removed afterwards.
 */
export function withTrialDatabase(
  options: TrialOptions,
  work: (url: string) => Promise<void>,
): Promise<void> {
  return withTrialServer(options, ({ url }) => work(url));
}

/** Runs `work` with a server like {@link withTrialDatabase}, on which more databases can be created. */
export async function withTrialServer<T>(
  options: TrialOptions,
  work: (server: TrialServer) => Promise<T>,
): Promise<T> {
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
  const url = postgres.localUrl;
  let copies = 0;
  return await work({ url, copyDatabase: () => copyDatabase(url, `copy_${++copies}`) });
}

/** Settings of a database are not part of its copy. `0001_platform.sql` makes this one. */
const SEARCH_PATH = '"$user", public, extensions';

async function copyDatabase(url: string, name: string): Promise<string> {
  const { pathname } = new URL(url);
  const session = await openSession({
    url: databaseUrl(url, 'template1'),
    applicationName: 'greenroom trial',
  });
  try {
    await session.batch([{ text: `create database ${name} template ${pathname.slice(1)}` }]);
    await session.batch([{ text: `alter database ${name} set search_path = ${SEARCH_PATH}` }]);
  } finally {
    await session.close();
  }
  return databaseUrl(url, name);
}

function databaseUrl(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}
