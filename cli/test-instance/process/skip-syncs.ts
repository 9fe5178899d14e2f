/**
 * The database of a test instance is removed after the test, so PostgreSQL does not wait until its writes are on the disk. The
 * settings are in `postgresql.auto.conf`, which copies of the cluster contain.
 */
import { withSuperuser } from './superuser.ts';

const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Applies to later starts of the cluster. @param dataFolder folder of a running instance */
export function skipSyncs(dataFolder: string): Promise<void> {
  return withSuperuser(dataFolder, async (session) => {
    for (const name of SETTINGS) await session.batch([{ text: `alter system set ${name} to off` }]);
  });
}
