/** The migrations of an instance. */
import { appMigrations } from '@greenroom/app/migrations';
import { platformMigrations } from '@greenroom/postgres';
import { services } from './services.ts';

/** In the order in which they are applied. */
export const MIGRATIONS = [
  platformMigrations,
  ...services.map(({ migrations }) => migrations),
  appMigrations,
];
