/** Settings of the service: who may reach it, and what the admin area may change. */
import { type ConfigOf, defineSettings, enumSetting, integerSetting, listSetting } from '@greenroom/config';
import { z } from 'zod';

const ADDRESSES = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Settings of the service. */
export const metaSettings = defineSettings({
  title: 'Admin area',
  tree: {
    allowedAddresses: listSetting(
      'GREENROOM_META_ALLOWED_ADDRESSES',
      'IP addresses or CIDR ranges, separated by commas',
      {
        default: '',
        description:
          'Addresses from which `/pg` and `/operator/v1` may be called with the service key. The admin area of the instance itself may always call them.',
      },
      ADDRESSES,
    ),
    schemaChanges: enumSetting('GREENROOM_ADMIN_SCHEMA_CHANGES', ['auto', 'on', 'off'], {
      default: 'auto',
      description:
        'Whether the admin area may change schemas, policies and settings. `auto`: only if the public URL is loopback and the folder of the project is writable.',
    }),
    maxRunningStatements: integerSetting('GREENROOM_META_MAX_RUNNING', 1, 100, {
      default: '8',
      description:
        'Maximum number of requests of the admin area that use a database connection at once. Others wait.',
    }),
    auditKeepDays: integerSetting('GREENROOM_AUDIT_KEEP_DAYS', 1, 36_500, {
      default: '365',
      description: 'Number of days for which the audit log keeps entries.',
    }),
  },
  complete: (values) => values,
});

/** The values of the settings. */
export type MetaConfig = ConfigOf<typeof metaSettings>;
