/** The places of the extensions of an instance with the embedded PostgreSQL. */
import { join, resolve } from 'node:path';
import type { ExtensionPlaces } from '@greenroom/postgres';

/** @param dataDirectory path of the data folder; the project is the current folder */
export function extensionPlaces(dataDirectory: string): ExtensionPlaces {
  const folder = resolve(dataDirectory);
  return {
    added: join(folder, 'extensions'),
    project: resolve('supabase', 'extensions'),
    cluster: join(folder, 'postgres'),
  };
}
