/** Finds the seed files of a project: `db.seed.sql_paths`. */
import { glob } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';

/** Default of `db.seed.sql_paths`. */
export const DEFAULT_SEED_PATHS: readonly string[] = ['./seed.sql'];

/** A seed file that has not been read yet. */
export interface SeedLocation {
  /** Relative to the folder of the project, with slashes: the key in `supabase_migrations.seed_files`. */
  path: string;
  /** Absolute path. */
  location: string;
}

/** The result of {@link findSeeds}. */
interface SeedList {
  files: readonly SeedLocation[];
  /** Patterns that match no file. */
  unmatched: readonly string[];
}

/**
 * Returns the files that the patterns match, each once: in the order of the patterns, and by name for each pattern.
 * @param patterns paths and globs, relative to `supabase/`
 */
export async function findSeeds(
  { folder, supabaseFolder }: Project,
  patterns: readonly string[],
): Promise<SeedList> {
  const found = new Map<string, SeedLocation>();
  const unmatched: string[] = [];
  for (const pattern of patterns) {
    const matches = await matchesOf(pattern, supabaseFolder);
    if (matches.length === 0) unmatched.push(pattern);
    for (const location of matches) {
      const path = relative(folder, location).split(sep).join('/');
      if (!found.has(path)) found.set(path, { path, location });
    }
  }
  return { files: [...found.values()], unmatched };
}

/** Throws {@link ProjectError} for a pattern that matches no file. */
export async function requireSeeds(project: Project, patterns: readonly string[]): Promise<void> {
  const { unmatched } = await findSeeds(project, patterns);
  if (unmatched.length === 0) return;
  throw new ProjectError(
    `no seed file matches ${unmatched.map((pattern) => JSON.stringify(pattern)).join(', ')}. ` +
      `Paths and globs are relative to ${project.supabaseFolder}.`,
  );
}

async function matchesOf(pattern: string, supabaseFolder: string): Promise<string[]> {
  const absolute = isAbsolute(pattern) ? pattern : resolve(supabaseFolder, pattern);
  const matches: string[] = [];
  for await (const entry of glob(absolute, { withFileTypes: true })) {
    if (!entry.isDirectory()) matches.push(resolve(entry.parentPath, entry.name));
  }
  return matches.sort();
}
