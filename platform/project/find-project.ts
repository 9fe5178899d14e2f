/** Finds the project of a folder. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ProjectError } from './project-error.ts';

/** The folders of a project, as absolute paths. */
export interface Project {
  /** Folder that contains `supabase/`. */
  folder: string;
  supabaseFolder: string;
}

/** An entry of `supabase/` by which a project is recognized. A folder without both is not a project. */
const MARKERS = ['config.toml', 'migrations'];

/**
 * Returns the project of a folder: the folder itself, if it contains `supabase/config.toml` or `supabase/migrations`, or
 * the one that its `package.json` names, e.g. `"greenroom": { "project": "demo" }`. Folders above it are not searched for
 * projects, so that a command never runs a project that the user has not named. Throws `ProjectError` if the package
 * names a folder that is no project.
 */
export async function findProject(directory: string): Promise<Project | undefined> {
  const folder = resolve(directory);
  if (await isProject(folder)) return projectAt(folder);
  const named = await projectOfPackage(folder);
  if (named === undefined) return undefined;
  if (await isProject(named)) return projectAt(named);
  throw new ProjectError(
    `${join(folder, 'package.json')}: greenroom.project names ${named}, which is not a project: ` +
      'it has neither supabase/config.toml nor supabase/migrations.',
  );
}

function projectAt(folder: string): Project {
  return { folder, supabaseFolder: join(folder, 'supabase') };
}

/**
 * Returns the folder that contains the data folder of a project by default: the closest folder above it whose
 * `package.json` names it, or the folder of the project.
 */
export async function dataParentOf({ folder: project }: Project): Promise<string> {
  for (let folder = dirname(project); ; folder = dirname(folder)) {
    if ((await projectOfPackage(folder)) === project) return folder;
    if (folder === dirname(folder)) return project;
  }
}

/** Returns the absolute path of the project that the `package.json` of a folder names. */
async function projectOfPackage(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  const name = text === undefined ? undefined : projectNameIn(text);
  return name === undefined ? undefined : resolve(folder, name);
}

/** A file that is not valid JSON names no project: it belongs to other programs, which report that. */
function projectNameIn(text: string): string | undefined {
  try {
    const { greenroom } = JSON.parse(text) as { greenroom?: { project?: unknown } };
    return typeof greenroom?.project === 'string' ? greenroom.project : undefined;
  } catch {
    return undefined;
  }
}

async function isProject(folder: string): Promise<boolean> {
  return (await Promise.all(MARKERS.map((name) => exists(join(folder, 'supabase', name))))).includes(true);
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
