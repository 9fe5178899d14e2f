import { NO_ENCRYPTION_OPTION, PASSPHRASE_OPTION, WHERE_ARGUMENT } from '../../backup/secret-options.ts';
import { defineCommand } from '../../definition.ts';

/** `greenroom backup create`. */
export const backupCreate = defineCommand({
  path: ['backup', 'create'],
  summary: 'Back up the database, the objects and the keys of an instance',
  description:
    'The instance may be running. Parts that the archive has already are not stored again, so that an interrupted backup continues.',
  isDefault: true,
  arguments: [WHERE_ARGUMENT],
  options: {
    name: { value: 'name', summary: 'Name of the backup, unique in the archive' },
    'passphrase-file': PASSPHRASE_OPTION,
    recipient: { value: 'key', summary: 'Public key for which a new archive is encrypted' },
    'max-rate': {
      value: 'megabytes',
      integerFrom: 1,
      summary: 'Most MB per second that are read, so that the server keeps its speed',
    },
    'no-encryption': NO_ENCRYPTION_OPTION,
  },
  examples: [
    {
      line: 'backup /backups --passphrase-file passphrase.txt',
      summary: 'Back up into a folder, encrypted with a passphrase',
    },
    { line: 'backup /backups --name before-migration', summary: 'Give the backup a name' },
  ],
  async run({ options, operands: [where], project }) {
    const { runBackup } = await import('../../backup/create-backup.ts');
    const { name, 'passphrase-file': passphraseFile, recipient, 'no-encryption': noEncryption } = options;
    const maxRate = options['max-rate'];
    return runBackup({ where, name, maxRate, passphraseFile, recipient, noEncryption }, project);
  },
});
