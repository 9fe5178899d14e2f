/** Clusters as earlier versions created them: `postgres` is the superuser, and `supabase_admin` a role without a login. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { choosePort } from '@greenroom/ports';
import pg from 'pg';
import { type MigrationSource, migrate } from '../../../migrate.ts';
import { findBinaries } from '../../binaries.ts';
import { ensureClusterDirectory, pathForServer } from '../../cluster-directory.ts';
import { installExtensions } from '../../extensions/install.ts';
import { chooseRunAs, spawnOptions } from '../../run-as.ts';
import { createServerProcess } from '../../server-process.ts';

const run = promisify(execFile);
const ROOT = new URL('../../../../../', import.meta.url);

/** The number of migrations that a version had, by the folder of the service. */
export type MigrationCounts = Readonly<Record<string, number>>;

const FORMER_MIGRATIONS: MigrationCounts = {
  'platform/postgres': 5,
  'services/auth': 9,
  'services/data': 1,
  'services/storage': 9,
  'services/realtime': 2,
};

/** A server of a cluster that knows nothing of roles. */
interface PlainServer {
  /** Returns the connection URL of a role. */
  urlOf(role: string, password: string, database?: string): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Creates an empty cluster in a folder with the superuser `postgres`. */
export async function initialiseFormerCluster(path: string, password: string): Promise<void> {
  const runAs = await chooseRunAs();
  const binaries = await findBinaries(runAs);
  const cluster = await ensureClusterDirectory(path, runAs);
  const passwordFile = `${path}.password`;
  await writeFile(passwordFile, password, { mode: 0o644 });
  await run(
    binaries.initdb,
    [
      `--pgdata=${await pathForServer(cluster, runAs)}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...spawnOptions(runAs), cwd: cluster },
  );
}

/** Starts the server of a cluster, and changes nothing in it. */
export async function startPlainServer(path: string): Promise<PlainServer> {
  const runAs = await chooseRunAs();
  const binaries = await findBinaries(runAs);
  const directory = await ensureClusterDirectory(path, runAs);
  await installExtensions({ cluster: directory, folders: [], binaries, runAs });
  const port = await choosePort({ host: '127.0.0.1', port: 0, fixed: false });
  const server = createServerProcess({ binaries, directory, port, runAs, onLog: () => {} });
  await server.start();
  return {
    urlOf: (role, password, database = 'postgres') =>
      `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    stop: () => server.stop(),
    async kill() {
      const pid = server.pid();
      const stopped = server.stop();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await stopped;
    },
  };
}

/**
 * Applies the migrations of an earlier version.
 * @param folder for copies of their files
 * @param counts default: a version with the former roles
 */
export async function migrateAsFormerVersion(
  url: string,
  folder: string,
  counts: MigrationCounts = FORMER_MIGRATIONS,
): Promise<void> {
  const sources = Object.entries(counts).map(async ([service, count]): Promise<MigrationSource> => {
    const from = new URL(`${service}/migrations/`, ROOT);
    const target = join(folder, service);
    await mkdir(target, { recursive: true });
    const files = (await readdir(from))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .slice(0, count);
    for (const name of files) await copyFile(new URL(name, from), join(target, name));
    return {
      service: service.replace(/^.*\//, '').replace('postgres', 'platform'),
      directory: pathToFileURL(`${target}/`),
    };
  });
  await migrate(url, await Promise.all(sources));
}

/** Runs statements, and returns the rows of the last one. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result: unknown = await client.query(sql);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as pg.QueryResult).rows;
  } finally {
    await client.end();
  }
}
