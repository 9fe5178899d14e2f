/** Settings of backups: the archive and its encryption. */
import { type ConfigOf, defineSettings, integerSetting, textSetting } from '@greenroom/config';

const MAX_KEPT = 1000;

const tree = {
  url: textSetting('GREENROOM_BACKUP_URL', 'a place such as /backups, backup.tar or s3://bucket/prefix', {
    default: undefined,
    description:
      'Archive of `greenroom backup` and `greenroom restore` if the command names none: a folder, a file that ends with `.tar`, or `s3://bucket/prefix?endpoint=https://host&region=name`.',
  }),
  passphraseFile: textSetting('GREENROOM_BACKUP_PASSPHRASE_FILE', 'a path', {
    default: undefined,
    description: 'File with the passphrase of the archive. Default of `--passphrase-file`.',
  }),
  recipient: textSetting('GREENROOM_BACKUP_RECIPIENT', 'a recipient of `greenroom backup keygen`', {
    default: undefined,
    description:
      'Public key for which a new archive is encrypted: this machine writes backups, and only the holder of the identity can read them. Default of `--recipient`.',
  }),
  accessKeyId: textSetting('GREENROOM_BACKUP_S3_ACCESS_KEY_ID', 'an access key', {
    default: undefined,
    description: 'Access key of the bucket. Unset: the sources of the AWS tools.',
  }),
  secretAccessKey: textSetting('GREENROOM_BACKUP_S3_SECRET_ACCESS_KEY', 'a secret key', {
    default: undefined,
    secret: true,
    description: 'Secret key of the bucket.',
  }),
  /** Only hours, days, weeks and months with a backup count. */
  keep: {
    hourly: integerSetting('GREENROOM_BACKUP_KEEP_HOURLY', 0, MAX_KEPT, {
      default: '0',
      description: 'Number of hours of which `greenroom backup prune` keeps the newest backup.',
    }),
    daily: integerSetting('GREENROOM_BACKUP_KEEP_DAILY', 0, MAX_KEPT, {
      default: '7',
      description: 'Number of days (UTC) of which it keeps the newest backup.',
    }),
    weekly: integerSetting('GREENROOM_BACKUP_KEEP_WEEKLY', 0, MAX_KEPT, {
      default: '4',
      description: 'Number of weeks of which it keeps the newest backup.',
    }),
    monthly: integerSetting('GREENROOM_BACKUP_KEEP_MONTHLY', 0, MAX_KEPT, {
      default: '6',
      description: 'Number of months of which it keeps the newest backup.',
    }),
  },
};

export const backupSettings = defineSettings({
  title: 'Backups',
  tree,
  complete: ({ accessKeyId, secretAccessKey, ...values }) => ({
    ...values,
    s3:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? { accessKeyId, secretAccessKey }
        : undefined,
  }),
});

export type BackupConfig = ConfigOf<typeof backupSettings>;
