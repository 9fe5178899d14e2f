/** Replaces the SQL files of a declared schema as a whole. */
import { existsSync } from 'node:fs';
import { cp, glob, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { Project } from '@greenroom/project';
import type { SchemaFile } from '@greenroom/project/schema-diff';

/**
 * Throws if the folder contains SQL files that may not be replaced, or if it contains more than a schema: the folder of the
 * project or its `supabase/`.
 */
export async function requireSchemaFolder(
  folder: string,
  { project, overwrites }: { project: Project; overwrites: boolean },
): Promise<void> {
  const path = relative(folder, join(project.supabaseFolder, 'migrations'));
  if (path === '' || !path.startsWith(`..${sep}`))
    throw new Error(`${folder} contains the project itself. Use a folder for schema files only.`);
  await restore(folder);
  if (!overwrites && (await hasSqlFiles(folder)))
    throw new Error(`${folder} contains SQL files. Replace them with --overwrite (db pull: --yes).`);
}

async function hasSqlFiles(folder: string): Promise<boolean> {
  const { done } = await glob('**/*.sql', { cwd: folder })[Symbol.asyncIterator]().next();
  return done !== true;
}

/**
 * Replaces all SQL files of a folder; other files remain. The new folder is prepared next to it, so that an interruption
 * leaves either the former files or the new ones.
 */
export async function replaceSchemaFolder(folder: string, files: readonly SchemaFile[]): Promise<void> {
  const { prepared, former } = placesOf(folder);
  await rm(prepared, { recursive: true, force: true });
  await mkdir(prepared, { recursive: true });
  if (existsSync(folder)) await cp(folder, prepared, { recursive: true, filter: isKept });
  for (const { path, sql } of files) {
    const location = join(prepared, path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, sql);
  }
  if (existsSync(folder)) await rename(folder, former);
  await rename(prepared, folder);
  await rm(former, { recursive: true, force: true });
}

/** Completes or undoes a replacement that was interrupted. */
async function restore(folder: string): Promise<void> {
  const { prepared, former } = placesOf(folder);
  if (!existsSync(folder) && existsSync(former)) await rename(former, folder);
  for (const place of [prepared, former]) await rm(place, { recursive: true, force: true });
}

function isKept(path: string): boolean {
  return extname(path) !== '.sql';
}

function placesOf(folder: string): { prepared: string; former: string } {
  const hidden = join(dirname(folder), `.${basename(folder)}`);
  return { prepared: `${hidden}.new`, former: `${hidden}.old` };
}
