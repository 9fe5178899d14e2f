/** The edge functions of a project: folders of `supabase/functions`. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from './find-project.ts';

/** The pattern of the Supabase CLI. Names such as `_shared` are those of shared code. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const ENTRY_FILES = ['index.ts', 'index.tsx', 'index.js', 'index.mjs'];

/** Returns the names of the functions, in their order; none without the folder. */
export async function findFunctions({ supabaseFolder }: Project): Promise<string[]> {
  const folder = join(supabaseFolder, 'functions');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const hasEntry = (name: string) => ENTRY_FILES.some((file) => existsSync(join(folder, name, file)));
  return names.filter((name) => NAME.test(name) && hasEntry(name)).sort();
}
