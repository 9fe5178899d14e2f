/** Replaces the database of an instance by a new one with the migrations and seeds of its project. */
import { setUpProject } from '@greenroom/project';
import { type NewClusterOptions, requireEmbeddedDatabase, withNewCluster } from './new-cluster.ts';

/** Options of {@link resetDatabase}. */
interface ResetOptions extends Omit<NewClusterOptions, 'beforeNewCluster'> {
  /** Version of the last migration to apply; an empty text: none. Default: all are applied. */
  lastVersion?: string | undefined;
}

/** Resets the database: if a migration or a seed fails, nothing changes. Throws the errors of `setUpProject`. */
export async function resetDatabase(options: ResetOptions): Promise<void> {
  const { config, toRun, lastVersion, onProgress } = options;
  requireEmbeddedDatabase(config);
  await withNewCluster(options, async ({ localUrl }) => {
    await setUpProject({ url: localUrl, ...toRun, lastVersion, onProgress });
  });
}
