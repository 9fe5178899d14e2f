/** Starts one embedded PostgreSQL for a whole test run. */
import type { TestProject } from 'vitest/node';
import { startMigratedServer } from './migrated-server.ts';

/** Vitest's global set-up; returns the tear-down. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMigratedServer();
  project.provide('postgresUrl', server.url);
  return server.stop;
}
