/** What the app needs in a database, where that is its own. On a hosted project, somebody runs the same files. */

/** Tables of the app's pages. Runs after those of all services. */
export const appMigrations = {
  service: 'app',
  directory: new URL('./migrations/', import.meta.url),
};
