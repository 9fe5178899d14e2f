import {
  IDENTITY_OPTION,
  NO_ENCRYPTION_OPTION,
  PASSPHRASE_OPTION,
  WHERE_ARGUMENT,
} from '../../backup/secret-options.ts';
import { defineCommand } from '../../definition.ts';

/** `greenroom backup verify`. */
export const backupVerify = defineCommand({
  path: ['backup', 'verify'],
  summary: 'Restore a backup for a trial, and check it',
  description: 'The restored folder is removed afterwards. The archive keeps the result.',
  arguments: [WHERE_ARGUMENT],
  options: {
    backup: { value: 'id', summary: 'Id of the backup; default: the newest' },
    'passphrase-file': PASSPHRASE_OPTION,
    'identity-file': IDENTITY_OPTION,
    'no-encryption': NO_ENCRYPTION_OPTION,
  },
  examples: [
    { line: 'backup verify /backups --passphrase-file passphrase.txt', summary: 'Check the newest backup' },
  ],
  async run({ options, operands: [where], project }) {
    const { verifyBackup } = await import('../../backup/verify-backup.ts');
    const { backup, 'no-encryption': noEncryption } = options;
    const { 'passphrase-file': passphraseFile, 'identity-file': identityFile } = options;
    return verifyBackup({ where, backup, passphraseFile, identityFile, noEncryption }, project);
  },
});
