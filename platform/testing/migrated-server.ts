/** A PostgreSQL server for tests, with a migrated template database in it. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ensureRoleLogins,
  type MigrationSource,
  migrate,
  openDatabase,
  platformMigrations,
  startEmbeddedPostgres,
  withSystemSearchPath,
} from '@greenroom/postgres';
import { databaseUrl, TEMPLATE } from './database.ts';
import { findEmptyCluster } from './empty-cluster.ts';
import { TEST_JWT_SECRET } from './keys.ts';

const SERVICES = new URL('../../services/', import.meta.url);

/** A running server. */
export interface MigratedServer {
  /** Superuser's connection URL. */
  url: string;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded server with {@link TEMPLATE}. All test files share one; a file that changes roles, which belong to the
 * whole server, needs its own.
 * @param findTemplate returns the path of an empty cluster; default: that of the run
 */
export async function startMigratedServer(findTemplate = findEmptyCluster): Promise<MigratedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-test-'));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate,
  });
  const maintenance = openDatabase({ url: postgres.superuser.url, max: 1, applicationName: 'test setup' });
  await maintenance.query({ text: `create database ${TEMPLATE} owner postgres` });
  await maintenance.close();
  const template = databaseUrl(postgres.superuser.url, TEMPLATE);
  await migrate(withSystemSearchPath(template), [platformMigrations, ...(await serviceMigrations())]);
  const roles = [
    'supabase_auth_admin',
    'supabase_realtime_admin',
    'supabase_storage_admin',
    'authenticator',
    'greenroom_net',
    'greenroom_functions',
    'greenroom_meta',
  ];
  await ensureRoleLogins(roles, { adminUrl: template, secret: TEST_JWT_SECRET, isNew: true });
  return {
    url: postgres.superuser.url,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Finds migrations by folder, because the platform must not import services. */
async function serviceMigrations(): Promise<MigrationSource[]> {
  const services = await readdir(SERVICES);
  const sources = services.map((service) => ({
    service,
    directory: new URL(`${service}/migrations/`, SERVICES),
  }));
  const found = await Promise.all(sources.map(({ directory }) => readdir(directory).catch(() => [])));
  return sources.filter((_, index) => (found[index]?.length ?? 0) > 0);
}
