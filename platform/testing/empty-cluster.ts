/**
 * An empty cluster that a test run creates once. Test files that need a separate PostgreSQL server start on copies of
 * it, because creating a cluster takes more time than most of these files.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemplate, type Database, openDatabase } from '@greenroom/postgres';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the empty cluster. */
    emptyCluster: string;
  }
}

/** The empty cluster of a run. */
interface EmptyCluster {
  path: string;
  remove(): Promise<void>;
}

/** Creates the empty cluster. The servers of its copies do not wait for the disk. */
export async function createEmptyCluster(): Promise<EmptyCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-empty-'));
  await chmod(folder, 0o711);
  const path = join(folder, 'postgres');
  await createTemplate(path, async (url) => {
    const server = openDatabase({ url, max: 1, applicationName: 'test setup' });
    await disableDurability(server).finally(() => server.close());
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The data need not survive a crash of the machine; without waiting for the disk, all changes are faster. */
async function disableDurability(server: Database): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) {
    await server.query({ text: `alter system set ${setting} = off` });
  }
}

/** Returns the path of the empty cluster, as the option `findTemplate` of an embedded server requires it. */
export async function findEmptyCluster(): Promise<string> {
  return inject('emptyCluster');
}
