/** The migrations of a project: the files `supabase/migrations/<version>_<name>.sql`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';

/** The pattern of the Supabase CLI. */
const FILE_NAME = /^([0-9]+)_(.*)\.sql$/;
/** The Supabase CLI wrote a dump of its own schemas under such a name until this date, and skips it since. */
const OLD_INIT = /^([0-9]{14})_init\.sql$/;
const OLD_INIT_BEFORE = '20211209000000';

/** A migration that has not been read yet. */
export interface MigrationFile {
  version: string;
  name: string;
  /** Name of the file, e.g. `20240131093000_create_notes.sql`. */
  fileName: string;
  /** Absolute path. */
  location: string;
}

/** The result of {@link listMigrations}. */
interface MigrationList {
  /** In the order in which they are applied: by file name. */
  files: readonly MigrationFile[];
  /** One line for each file that is not a migration. */
  notes: readonly string[];
}

/**
 * Lists the migrations of a project; none if it has no folder for them. Throws {@link ProjectError} if two files have one
 * version.
 */
export async function listMigrations({ supabaseFolder }: Project): Promise<MigrationList> {
  const folder = join(supabaseFolder, 'migrations');
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  const files: MigrationFile[] = [];
  const notes: string[] = [];
  for (const [index, fileName] of names.entries()) {
    const [, version, name] = FILE_NAME.exec(fileName) ?? [];
    if (version === undefined || name === undefined)
      notes.push(`skipped ${fileName}: the name of a migration is <version>_<name>.sql`);
    else if (index === 0 && isOldInit(fileName))
      notes.push(
        `skipped ${fileName}: rename it to apply it, because early versions of the Supabase CLI wrote it`,
      );
    else files.push({ version, name, fileName, location: join(folder, fileName) });
  }
  requireDistinctVersions(files);
  return { files, notes };
}

function isOldInit(fileName: string): boolean {
  const [, version] = OLD_INIT.exec(fileName) ?? [];
  return version !== undefined && version < OLD_INIT_BEFORE;
}

function requireDistinctVersions(files: readonly MigrationFile[]): void {
  const names = new Map<string, string>();
  for (const { version, fileName } of files) {
    const other = names.get(version);
    if (other !== undefined)
      throw new ProjectError(
        `the migrations ${other} and ${fileName} have the same version ${version}. Give one of them another version.`,
      );
    names.set(version, fileName);
  }
}
