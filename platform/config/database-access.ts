/** Settings of connections to the embedded PostgreSQL from other programs. */
import { z } from 'zod';
import { listText, selectedText } from './config-conversions.ts';
import type { ConfigKey, ConfigValue } from './config-key.ts';
import { enumSetting, splitList } from './kinds.ts';
import { setting } from './setting.ts';
import type { SettingsOf } from './settings-group.ts';

/** A list without ranges. An empty text would leave the setting unset. */
const NO_RANGES = 'none';
/** The key of the second family has this default where the first is set, and the reverse. */
const ALL_RANGES = { v4: ['0.0.0.0/0'], v6: ['::/0'] } as const;

/** Declares the ranges of one family of addresses. */
function rangesSetting(family: keyof typeof ALL_RANGES, name: string, key: string, example: string) {
  const range = family === 'v4' ? z.cidrv4() : z.cidrv6();
  const schema = z
    .string()
    .transform((text) => (text === NO_RANGES ? [] : splitList(text)))
    .pipe(z.array(range));
  const configKey: ConfigKey = {
    key: `db.network_restrictions.${key}`,
    requires: 'db.network_restrictions.enabled',
    default: ALL_RANGES[family],
    toText: rangesText,
  };
  return setting(name, schema, `ranges such as ${example}, separated by commas, or ${NO_RANGES}`, {
    default: undefined,
    configKey,
    description: `IP${family} ranges whose programs may connect to the embedded PostgreSQL, which listens on 127.0.0.1 only. Unset: all. Greenroom itself always connects.`,
  });
}

function rangesText(value: ConfigValue): string {
  return listText(value) || NO_RANGES;
}

export const databaseAccessTree = {
  tls: enumSetting('GREENROOM_DB_TLS', ['off', 'on', 'required'], {
    default: 'off',
    configKey: { key: 'db.ssl_enforcement.enabled', toText: selectedText('required') },
    description:
      'Whether the embedded PostgreSQL offers TLS, or rejects connections without it. The certificate is `postgres/greenroom.crt` in the data folder, unless its postgresql.conf names another.',
  }),
  v4: rangesSetting('v4', 'GREENROOM_DB_ALLOWED_RANGES', 'allowed_cidrs', '192.0.2.0/24'),
  v6: rangesSetting('v6', 'GREENROOM_DB_ALLOWED_RANGES_V6', 'allowed_cidrs_v6', '2001:db8::/32'),
};

/** Combines the ranges of both families. Undefined: all addresses may connect. */
export function completeDatabaseAccess({ tls, v4, v6 }: SettingsOf<typeof databaseAccessTree>) {
  const isUnset = v4 === undefined && v6 === undefined;
  return { tls, ranges: isUnset ? undefined : [...(v4 ?? ALL_RANGES.v4), ...(v6 ?? ALL_RANGES.v6)] };
}
