/** The places of the extensions of an instance with the embedded PostgreSQL. */
import { join, resolve } from 'node:path';
import type { ExtensionPlaces } from '@greenroom/postgres';
import type { Project } from '@greenroom/project';

/**
 * @param dataDirectory path of the data folder
 * @param project the project that the instance runs, if any
 */
export function extensionPlaces(dataDirectory: string, project: Project | undefined): ExtensionPlaces {
  const folder = resolve(dataDirectory);
  return {
    added: join(folder, 'extensions'),
    project: project && join(project.supabaseFolder, 'extensions'),
    cluster: join(folder, 'postgres'),
  };
}
