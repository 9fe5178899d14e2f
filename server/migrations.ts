/** The migrations of an instance. */
import { fileURLToPath } from 'node:url';
import { appMigrations } from '@greenroom/app/migrations';
import { lastMigrations, platformMigrations } from '@greenroom/postgres';
import { allServices } from './services.ts';

/** In the order in which they are applied. */
export const MIGRATIONS = [
  platformMigrations,
  ...allServices.flatMap(({ migrations }) => migrations ?? []),
  appMigrations,
];

/** Returns the last migration of each service, e.g. `{auth: '0006_proven_addresses'}`. */
export function lastMigrationOfEach(): Promise<Record<string, string>> {
  return lastMigrations(MIGRATIONS);
}

/** Returns the absolute paths of the folders with migrations. */
export function migrationFolders(): string[] {
  return MIGRATIONS.map(({ directory }) => fileURLToPath(directory));
}
