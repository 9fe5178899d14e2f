/** Creates the files of new migrations. */
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
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

/** Options of {@link createMigrations}. */
interface NewMigrations extends Omit<NewMigration, 'content'> {
  /** Text of each file. */
  contents: readonly string[];
}

/** A file that was created. */
interface CreatedMigration {
  version: string;
  /** Relative to the folder of the project. */
  path: string;
}

/**
 * Creates `supabase/migrations/<version>_<name>.sql` and returns its path relative to the folder. The version is the time
 * in UTC, like in the Supabase CLI. Spaces in the name become `_`. Throws {@link ProjectError} if a migration has the
 * version already.
 */
export async function createMigration({ content, ...where }: NewMigration): Promise<string> {
  const [{ path } = { path: '' }] = await createMigrations({ ...where, contents: [content] });
  return path;
}

/**
 * Creates one migration for each text, like {@link createMigration}: all files or none. Their versions follow each other by
 * a second, and the names of later files end with their number. An interruption leaves no incomplete file.
 */
export async function createMigrations(migrations: NewMigrations): Promise<CreatedMigration[]> {
  const { folder, contents, now } = migrations;
  const name = requireName(migrations.name);
  const directory = join(folder, 'supabase', 'migrations');
  await mkdir(directory, { recursive: true });
  const created: CreatedMigration[] = [];
  try {
    for (const [index, content] of contents.entries()) {
      const version = versionOf(new Date(now.getTime() + index * 1000));
      const fileName = `${version}_${name}${index === 0 ? '' : `_${index + 1}`}.sql`;
      await createFile(directory, fileName, content);
      created.push({ version, path: relative(folder, join(directory, fileName)) });
    }
  } catch (error) {
    for (const { path } of created) await rm(join(folder, path));
    throw error;
  }
  return created;
}

/** Returns the name as part of a file name. Throws {@link ProjectError} for a name with a separator of paths. */
export function requireName(name: string): string {
  if (!NAME.test(name))
    throw new ProjectError(`"${name}" cannot be the name of a migration: use letters, digits and _.`);
  return name.trim().replace(/\s+/g, '_');
}

/** Writes a hidden file, which is no migration, and gives it its name once it is complete. */
async function createFile(directory: string, fileName: string, content: string): Promise<void> {
  const path = join(directory, fileName);
  const incomplete = join(directory, `.${fileName}.new`);
  await writeFile(incomplete, content);
  try {
    await link(incomplete, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new ProjectError(`${path} exists already. Try again in a second.`);
  } finally {
    await rm(incomplete);
  }
}

/** Returns the version of a migration of this time: year, month, day, hour, minute and second. */
export function versionOf(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14);
}
