/** The database that a restore writes: that of DATABASE_URL, or without it a cluster in the data folder. */
import type { Manifest } from '@greenroom/backup';
import type { Config } from '@greenroom/server/settings';

type DatabaseConfig = Pick<Config, 'databaseUrl'>;

/** Throws if the backup cannot be restored there. */
export function requireDatabaseFor({ id, kind }: Manifest, { databaseUrl }: DatabaseConfig): void {
  if (kind === 'logical' || databaseUrl === undefined) return;
  throw new Error(
    `backup ${id} has the files of an embedded PostgreSQL, which cannot be restored into the database of DATABASE_URL. Restore it without DATABASE_URL.`,
  );
}

/** Returns the folder, with the external database if there is one. */
export function placeText(folder: string, { databaseUrl }: DatabaseConfig): string {
  if (databaseUrl === undefined) return folder;
  const { host, pathname } = new URL(databaseUrl);
  return `${folder} and the database ${decodeURIComponent(pathname.slice(1))} of ${host}`;
}
