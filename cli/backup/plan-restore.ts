/** Plans a restore from the lists of an archive. */
import {
  type Archive,
  listBackups,
  planRestore,
  type RequestedState,
  type RestorePlan,
  readStoredLogs,
} from '@greenroom/backup';
import { printMessages } from '../print-lines.ts';

/** Returns the plan for a state. Throws a message with the states that can be restored instead. */
export async function readPlan({ store }: Archive, requested: RequestedState): Promise<RestorePlan> {
  const { location } = store;
  const { backups, unreadable } = await listBackups(store);
  for (const { error } of unreadable) printMessages([`warning: ${error.message}`]);
  const logs = await readStoredLogs(store);
  return planRestore(requested, { location, backups, unreadable, logs }, new Date());
}
