import { IDENTITY_OPTION, PASSPHRASE_OPTION, WHERE_ARGUMENT } from '../backup/secret-options.ts';
import { defineCommand } from '../definition.ts';

/** `greenroom restore`. */
export const restore = defineCommand({
  path: ['restore'],
  summary: 'Restore a backup as the data folder of an instance',
  description: 'Existing data is never overwritten.',
  arguments: [WHERE_ARGUMENT],
  options: {
    backup: { value: 'id', summary: 'Id of the backup; default: the newest' },
    into: { value: 'folder', summary: 'The data folder; default: that of the project' },
    force: { summary: 'Keep an existing data folder under another name, and take its place' },
    'dry-run': { summary: 'Print what would be restored' },
    'passphrase-file': PASSPHRASE_OPTION,
    'identity-file': IDENTITY_OPTION,
  },
  examples: [
    { line: 'restore /backups --passphrase-file passphrase.txt', summary: 'Restore the newest backup' },
  ],
  async run({ options, operands: [where], project }) {
    const { runRestore } = await import('../backup/run-restore.ts');
    const { backup, into, force: isForced, 'dry-run': isDryRun } = options;
    const { 'passphrase-file': passphraseFile, 'identity-file': identityFile } = options;
    const secrets = { passphraseFile, identityFile };
    return runRestore({ where, ...secrets, backup, into, isForced, isDryRun }, project);
  },
});
