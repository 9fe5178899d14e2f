/** Settings of backups: the archive and its encryption. */
import {
  booleanSetting,
  type ConfigOf,
  defineSettings,
  integerSetting,
  setting,
  textSetting,
} from '@greenroom/config';
import { type CalendarSchedule, nextDue, parseFiveFields } from '@greenroom/schedule';
import { z } from 'zod';

const MAX_KEPT = 1000;
const MAX_LOG_DAYS = 3650;
/** In MB per second. */
const MAX_RATE = 100_000;
const OFF = 'off';
/** Five years from here contain a leap day. */
const ANY_TIME = new Date('2027-01-01T00:00:00Z');

/** Five fields that match some time: `0 0 30 2 *` is rejected. */
const schedule = z.string().transform((text, context): CalendarSchedule | typeof OFF => {
  if (text === OFF) return OFF;
  const parsed = parseFiveFields(text);
  if (parsed !== undefined && nextDue(parsed, ANY_TIME) !== undefined) return parsed;
  context.addIssue({ code: 'custom' });
  return OFF;
});

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
  noEncryption: booleanSetting('GREENROOM_BACKUP_NO_ENCRYPTION', {
    default: 'false',
    description:
      'Whether the archive is not encrypted: a new one is created so, and an encrypted one is refused. Without it, an archive that is not encrypted is refused. Default of `--no-encryption`.',
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
  isContinuous: booleanSetting('GREENROOM_BACKUP_CONTINUOUS', {
    default: 'true',
    description:
      'Whether a running instance backs itself up to GREENROOM_BACKUP_URL: its log and objects continuously, and its files by GREENROOM_BACKUP_SCHEDULE. `false`: only the commands use the archive.',
  }),
  lagSeconds: integerSetting('GREENROOM_BACKUP_LAG_SECONDS', 1, 3600, {
    default: '10',
    description:
      'Most seconds of changes that a continuous backup has not stored yet while the archive is reachable.',
  }),
  /** A value that can be passed to another process. */
  schedule: setting(
    'GREENROOM_BACKUP_SCHEDULE',
    schedule,
    'five fields of cron that match some time, such as 0 3 * * *, or off',
    {
      default: '0 3 * * *',
      description:
        'Times (UTC) at which a continuous backup stores a full backup, as the five fields of cron: minute, hour, day of the month, month, day of the week. `off`: only if the archive has none that the log continues.',
    },
  ),
  verifies: booleanSetting('GREENROOM_BACKUP_VERIFY', {
    default: 'true',
    description: 'Whether each full backup of the schedule is verified by a restore.',
  }),
  maxRate: integerSetting('GREENROOM_BACKUP_MAX_RATE', 0, MAX_RATE, {
    default: '10',
    description:
      'Most MB per second of database and objects that a full backup of the schedule and its verification read, so that they do not slow down the server. `0`: as fast as possible. `greenroom backup` has the option `--max-rate`.',
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
  keepLogDays: integerSetting('GREENROOM_BACKUP_KEEP_LOG_DAYS', 0, MAX_LOG_DAYS, {
    default: '7',
    description:
      'Number of days of which any second can be restored. Older backups are restored to their own state only.',
  }),
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
