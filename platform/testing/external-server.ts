/** A PostgreSQL server that Greenroom does not manage, with a role that is no superuser. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession, startEmbeddedPostgres } from '@greenroom/postgres';
import { findEmptyCluster } from './empty-cluster.ts';

/** A running server. */
export interface ExternalServer {
  /** URL of the superuser. */
  url: string;
  /** Creates an empty database; returns its URL as its owner. */
  createDatabase(name: string, owner?: string): Promise<string>;
  stop(): Promise<void>;
}

/** The role needs these attributes for `DATABASE_URL`, see `external.ts`. */
const ATTRIBUTES = `login createrole createdb bypassrls password 'shop'`;

/** Starts a server. @param owners roles that will own databases */
export async function startExternalServer(owners: readonly string[] = ['shop']): Promise<ExternalServer> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-external-'));
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    parameters: { wal_level: 'logical' },
    findTemplate: findEmptyCluster,
  });
  const { url } = server.superuser;
  for (const owner of owners) await runOn(url, `create role ${owner} ${ATTRIBUTES}`);
  return {
    url,
    async createDatabase(name, owner = owners[0] ?? '') {
      await runOn(url, `create database ${name} owner ${owner} template template0`);
      const target = new URL(url);
      Object.assign(target, { username: owner, password: 'shop', pathname: `/${name}` });
      return target.href;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs statements, each in a transaction. */
export async function runOn(url: string, ...statements: readonly string[]): Promise<void> {
  const session = await openSession({ url, applicationName: 'test' });
  try {
    for (const text of statements) await session.batch([{ text }]);
  } finally {
    await session.close();
  }
}
