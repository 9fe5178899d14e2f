/**
 * The app's tables in the instance's own database. On a hosted project, the operator applies the same
 * files.
 */

/** Migrations of the app's tables. They run after those of all services. */
export const appMigrations = {
  service: 'app',
  directory: new URL('./migrations/', import.meta.url),
};
