import { WHERE_ARGUMENT } from '../../backup/secret-options.ts';
import { defineCommand } from '../../definition.ts';
import { FORMAT_OPTION } from '../../format-option.ts';

/** `greenroom backup list`. */
export const backupList = defineCommand({
  path: ['backup', 'list'],
  summary: 'List the backups of an archive, newest first',
  arguments: [WHERE_ARGUMENT],
  options: { output: FORMAT_OPTION },
  examples: [
    { line: 'backup list /backups', summary: 'Print backups, their sizes, and whether they were verified' },
  ],
  async run({ options: { output: format }, operands: [where], project }) {
    return (await import('../../backup/list-backups.ts')).printBackups({ where, format }, project);
  },
});
