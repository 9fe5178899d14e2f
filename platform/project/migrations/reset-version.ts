/** The version to which a database is reset. */
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { NO_VERSION } from './held.ts';
import { listMigrations } from './migration-files.ts';

/** The options of a reset; at most one of both is set. */
interface ResetTarget {
  /** Version of the last migration to apply. */
  version?: string | undefined;
  /** Number of migrations at the end that are not applied. */
  last?: number | undefined;
}

/**
 * Returns the version of the last migration to apply: an empty text if none is, undefined if all are. Throws
 * {@link ProjectError} for a version without a file.
 */
export async function resetVersion(
  project: Project,
  { version, last = 0 }: ResetTarget,
): Promise<string | undefined> {
  if (version !== undefined) return requireVersion(project, version);
  if (last === 0) return undefined;
  const { files } = await listMigrations(project);
  return files.at(-last - 1)?.version ?? NO_VERSION;
}

async function requireVersion(project: Project, version: string): Promise<string> {
  if (!/^[0-9]+$/.test(version))
    throw new ProjectError(`"${version}" is not the version of a migration: use digits only.`);
  const { files } = await listMigrations(project);
  if (files.some((file) => file.version === version)) return version;
  const newest = files.at(-1)?.version;
  const hint = newest === undefined ? 'It has no migrations.' : `The newest version is ${newest}.`;
  throw new ProjectError(`supabase/migrations has no file with the version ${version}. ${hint}`);
}
