/** The replication slot with which the log is backed up, and whether it is. */
import type { Database } from '@greenroom/postgres';
import type { Config } from './settings.ts';

/** Name of the physical replication slot. */
export const BACKUP_SLOT = 'greenroom_backup';
const FILE = /\.tar$/;

/** Whether a running server ships its log. One file has one backup, and another operator has the log of an external database. */
export function isContinuous({ backup, databaseUrl }: Pick<Config, 'backup' | 'databaseUrl'>): boolean {
  const { url = '', isContinuous: isWanted } = backup;
  return isWanted && url !== '' && !FILE.test(url) && databaseUrl === undefined;
}

/** The server would keep its log for ever for a slot that no agent reads. */
export async function dropBackupSlot(admin: Pick<Database, 'query'>): Promise<void> {
  await admin.query({
    text: `select pg_catalog.pg_drop_replication_slot(slot_name) from pg_catalog.pg_replication_slots
      where slot_name = $1 and not active`,
    values: [BACKUP_SLOT],
  });
}
