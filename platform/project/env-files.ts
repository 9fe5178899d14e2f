/** The env files of a project. */
import { join, relative } from 'node:path';
import { type ConfigSource, loadDotEnv } from '@greenroom/config';
import type { Project } from './find-project.ts';

/** Name of the environment if `SUPABASE_ENV` is unset. */
const DEFAULT_ENVIRONMENT = 'development';

/** An env file that exists. */
export interface EnvFile {
  /** Path relative to the folder of the project, e.g. `supabase/.env.local`. */
  name: string;
  values: ConfigSource;
}

/**
 * Loads the env files of a project. A file overrides those after it: first all files of `supabase/`, then those of the
 * folder of the project; in each folder `.env.<environment>.local`, `.env.local` (except in the environment `test`),
 * `.env.<environment>` and `.env`. The order is that of the Supabase CLI.
 * @param environment value of `SUPABASE_ENV`
 */
export async function loadEnvFiles(project: Project, environment: string | undefined): Promise<EnvFile[]> {
  const names = envFileNames(environment || DEFAULT_ENVIRONMENT);
  const paths = [project.supabaseFolder, project.folder].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  );
  const files = await Promise.all(
    paths.map(async (path) => ({ name: relative(project.folder, path), values: await loadDotEnv(path) })),
  );
  return files.filter(({ values }) => Object.keys(values).length > 0);
}

function envFileNames(environment: string): string[] {
  const local = environment === 'test' ? [] : ['.env.local'];
  return [`.env.${environment}.local`, ...local, `.env.${environment}`, '.env'];
}
