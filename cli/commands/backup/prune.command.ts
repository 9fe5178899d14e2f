import { WHERE_ARGUMENT } from '../../backup/secret-options.ts';
import { defineCommand } from '../../definition.ts';

/** `greenroom backup prune`. */
export const backupPrune = defineCommand({
  path: ['backup', 'prune'],
  summary: 'Remove old backups, and what only they need',
  description:
    'GREENROOM_BACKUP_KEEP_HOURLY, _DAILY, _WEEKLY and _MONTHLY decide. The newest backup and the newest verified one are kept.',
  arguments: [WHERE_ARGUMENT],
  options: { 'dry-run': { summary: 'Print what would be removed' } },
  examples: [{ line: 'backup prune /backups --dry-run', summary: 'Print the backups that would be removed' }],
  async run({ options: { 'dry-run': isDryRun }, operands: [where], project }) {
    return (await import('../../backup/prune-backups.ts')).pruneBackups({ where, isDryRun }, project);
  },
});
