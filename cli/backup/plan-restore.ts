/** Plans a restore from the lists of an archive. */
import {
  type Archive,
  compareInstances,
  listBackups,
  type Manifest,
  planRestore,
  type RequestedState,
  type RestorePlan,
  readStoredLogs,
} from '@greenroom/backup';
import { printMessages } from '../print-lines.ts';

/** Returns the plan for a state. Throws a message with the states that can be restored instead. */
export async function readPlan(archive: Archive, requested: RequestedState): Promise<RestorePlan> {
  const { store } = archive;
  const { location } = store;
  const onRejected = ({ message }: Error) => printMessages([`warning: ${message}`]);
  const { backups, unreadable } = await listBackups(store, { archive, onRejected });
  for (const { error } of unreadable) printMessages([`warning: ${error.message}`]);
  const logs = await readStoredLogs(store, { archive, onRejected });
  const plan = planRestore(requested, { location, backups, unreadable, logs }, new Date());
  warnOfOthers(plan.manifest, backups, location);
  return plan;
}

/** Earlier versions let several instances share an archive. */
function warnOfOthers(
  chosen: Manifest,
  backups: readonly { id: string; manifest: Manifest }[],
  location: string,
) {
  const other = backups.findLast(({ manifest }) => compareInstances(manifest, chosen) === 'other');
  if (other === undefined) return;
  process.stderr.write(
    `warning: ${location} has backups of several instances. This state is of the instance of backup ${chosen.id}; backup ${other.id} is of another one. Name a backup by --backup <id>.\n`,
  );
}
