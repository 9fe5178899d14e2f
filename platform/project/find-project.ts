/** Finds the project of a folder. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The folders of a project, as absolute paths. */
export interface Project {
  /** Folder that contains `supabase/`. */
  folder: string;
  supabaseFolder: string;
}

/** An entry of `supabase/` by which a project is recognized. A folder without both is not a project. */
const MARKERS = ['config.toml', 'migrations'];

/**
 * Returns the project of a folder: the folder itself, if it contains `supabase/config.toml` or `supabase/migrations`.
 * Folders above it are not searched, so that a command never runs a project that the user has not named.
 */
export async function findProject(directory: string): Promise<Project | undefined> {
  const folder = resolve(directory);
  const supabaseFolder = join(folder, 'supabase');
  const found = await Promise.all(MARKERS.map((name) => exists(join(supabaseFolder, name))));
  return found.includes(true) ? { folder, supabaseFolder } : undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
