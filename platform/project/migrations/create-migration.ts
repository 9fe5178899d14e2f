/** Creates the file of a new migration. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ProjectError } from '../project-error.ts';

/** The name becomes a part of a file name. */
const NAME = /^[^/\\\0]+$/;

/** Options of {@link createMigration}. */
interface NewMigration {
  /** Folder of the project. `supabase/migrations` is created in it if it does not exist. */
  folder: string;
  name: string;
  content: string;
  now: Date;
}

/**
 * Creates `supabase/migrations/<version>_<name>.sql` and returns its path relative to the folder. The version is the time
 * in UTC, like in the Supabase CLI. Spaces in the name become `_`. Throws {@link ProjectError} if a migration has the
 * version already.
 */
export async function createMigration({ folder, name, content, now }: NewMigration): Promise<string> {
  requireMigrationName(name);
  const directory = join(folder, 'supabase', 'migrations');
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${versionOf(now)}_${name.trim().replace(/\s+/g, '_')}.sql`);
  await writeFile(path, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new ProjectError(`${path} exists already. Try again in a second.`);
  });
  return relative(folder, path);
}

/** Throws {@link ProjectError} if a text cannot be the name of a migration. */
export function requireMigrationName(name: string): void {
  if (!NAME.test(name))
    throw new ProjectError(`"${name}" cannot be the name of a migration: use letters, digits and _.`);
}

/** Returns year, month, day, hour, minute and second. */
function versionOf(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14);
}
