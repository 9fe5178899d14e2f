/** Creates an empty cluster, and starts one embedded PostgreSQL on a copy of it, for a whole test run. */
import type { TestProject } from 'vitest/node';
import { createEmptyCluster } from './empty-cluster.ts';
import { startMigratedServer } from './migrated-server.ts';

/** Vitest's global set-up; returns the tear-down. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const empty = await createEmptyCluster();
  const server = await startMigratedServer(async () => empty.path);
  project.provide('emptyCluster', empty.path);
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await empty.remove();
  };
}
