/** Finds the files of tests, like `pg_prove --ext .pg --ext .sql -r`. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';

/** The files of a run. */
export interface TestFiles {
  /** Paths relative to the current folder, in the order in which they run. */
  paths: readonly string[];
  /** Folder to which the paths of `\i` are relative. */
  folder: string;
}

const EXTENSIONS: readonly string[] = ['.sql', '.pg'];

/**
 * Returns the files that these paths name, and the `.sql` and `.pg` files in folders among them.
 * @param paths relative to the current folder; default: `supabase/tests` of the project
 * @throws Error for a path that does not exist
 */
export async function findTestFiles(paths: readonly string[], supabaseFolder: string): Promise<TestFiles> {
  const places = paths.length > 0 ? paths.map((path) => resolve(path)) : [await ownFolder(supabaseFolder)];
  const found = await Promise.all(places.map(filesAt));
  const [first = ''] = places;
  return {
    paths: [...new Set(found.flat())].map((path) => relative('', path)),
    folder: (await stat(first)).isDirectory() ? first : dirname(first),
  };
}

async function ownFolder(supabaseFolder: string): Promise<string> {
  const folder = join(supabaseFolder, 'tests');
  if (await exists(folder)) return folder;
  throw new Error(`there are no tests: ${folder} does not exist. Create a test: greenroom test new <name>`);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true });
  return entries
    .filter((entry) => EXTENSIONS.includes(extname(entry)))
    .sort()
    .map((entry) => join(path, entry));
}
