/** Creates the files of a new project. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { ProjectError } from '../project-error.ts';
import { configTemplate, GITIGNORE_LINES, SEED_TEMPLATE } from './config-template.ts';

/** Limit of the Supabase CLI. */
const MAX_PROJECT_ID = 40;

/** Options of {@link createProject}. */
interface NewProject {
  /** Is created if it does not exist. */
  folder: string;
  /** Whether an existing config.toml is replaced. */
  isForced: boolean;
}

/**
 * Creates `supabase/` with config.toml, seed.sql and .gitignore, and returns the paths of the files that it has written,
 * relative to the folder. Other existing files are kept; .gitignore gets the lines that it lacks.
 * @throws ProjectError if the folder is a project already
 */
export async function createProject({ folder, isForced }: NewProject): Promise<string[]> {
  const supabaseFolder = join(resolve(folder), 'supabase');
  const createdFolder = await mkdir(supabaseFolder, { recursive: true }).catch((error: unknown) => {
    throw notWritable(supabaseFolder, error);
  });
  try {
    const config = configTemplate(projectIdOf(resolve(folder)));
    const written = [
      await writeConfig(join(supabaseFolder, 'config.toml'), config, isForced),
      await writeNew(join(supabaseFolder, 'seed.sql'), SEED_TEMPLATE),
      await addLines(join(supabaseFolder, '.gitignore'), GITIGNORE_LINES),
    ];
    return written.filter((path) => path !== undefined).map((path) => relative(resolve(folder), path));
  } catch (error) {
    if (createdFolder !== undefined) await rm(createdFolder, { recursive: true });
    throw error instanceof ProjectError ? error : notWritable(supabaseFolder, error);
  }
}

/** Returns an id from the name of a folder: letters, digits, `_`, `.` and `-`. */
export function projectIdOf(folder: string): string {
  const id = basename(folder)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_PROJECT_ID);
  return id || 'project';
}

async function writeConfig(path: string, text: string, isForced: boolean): Promise<string> {
  if (isForced) await writeFile(path, text);
  else if ((await writeNew(path, text)) === undefined)
    throw new ProjectError(
      `${path} exists already, so the folder is a project. Start it: greenroom start. To replace the file by a new one, use --force.`,
    );
  return path;
}

/** Returns undefined if the file exists. */
async function writeNew(path: string, text: string): Promise<string | undefined> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** Adds the lines that a file lacks; undefined if it lacks none. */
async function addLines(path: string, lines: readonly string[]): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return undefined;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await writeFile(path, `${text}${separator}${missing.join('\n')}\n`);
  return path;
}

function notWritable(path: string, error: unknown): ProjectError {
  return new ProjectError(`${path} cannot be written: ${(error as Error).message}`);
}
