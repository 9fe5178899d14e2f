import {
  IDENTITY_OPTION,
  NO_ENCRYPTION_OPTION,
  PASSPHRASE_OPTION,
  WHERE_ARGUMENT,
} from '../../backup/secret-options.ts';
import { defineCommand } from '../../definition.ts';

/** `greenroom backup check`. */
export const backupCheck = defineCommand({
  path: ['backup', 'check'],
  summary: 'Read an archive, and name what is damaged',
  description: 'Faster than backup verify, which also starts the restored database.',
  arguments: [WHERE_ARGUMENT],
  options: {
    repair: { summary: 'Remove damaged chunks, which the next backup stores again' },
    'passphrase-file': PASSPHRASE_OPTION,
    'identity-file': IDENTITY_OPTION,
    'no-encryption': NO_ENCRYPTION_OPTION,
  },
  examples: [
    {
      line: 'backup check /backups --passphrase-file passphrase.txt',
      summary: 'Read all backups of an archive',
    },
  ],
  async run({ options, operands: [where], project }) {
    const { checkBackups } = await import('../../backup/check-archive.ts');
    const { repair: isRepair, 'no-encryption': noEncryption } = options;
    const { 'passphrase-file': passphraseFile, 'identity-file': identityFile } = options;
    return checkBackups({ where, isRepair, passphraseFile, identityFile, noEncryption }, project);
  },
});
