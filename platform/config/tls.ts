/** Settings of HTTPS. */
import type { AutomaticHttps } from './automatic-https.ts';
import { pathText } from './config-conversions.ts';
import { ConfigError } from './config-error.ts';
import { booleanSetting, textSetting } from './kinds.ts';
import { missingSetting, type SettingsOf } from './settings-group.ts';

const ENABLED_KEY = 'api.tls.enabled';

/** Declares a file in PEM. */
function pemFile(name: string, key: string, description: string) {
  return textSetting(name, 'the path of a file in PEM', {
    default: undefined,
    configKey: { key, requires: ENABLED_KEY, toText: pathText('supabaseFolder') },
    description,
  });
}

export const tlsTree = {
  isEnabled: booleanSetting('GREENROOM_TLS_ENABLED', {
    default: 'false',
    configKey: ENABLED_KEY,
    description: 'Whether the server speaks HTTPS instead of HTTP.',
  }),
  certificateFile: pemFile(
    'GREENROOM_TLS_CERT_FILE',
    'api.tls.cert_path',
    'Certificate of the server, followed by those of intermediate authorities. Unset: a self-signed certificate for localhost in the data folder.',
  ),
  keyFile: pemFile(
    'GREENROOM_TLS_KEY_FILE',
    'api.tls.key_path',
    'Private key of GREENROOM_TLS_CERT_FILE, without a passphrase. Required if that is set.',
  ),
};

/** Files in PEM. */
export interface TlsFiles {
  certificateFile: string;
  keyFile: string;
}

/** How a server with HTTPS gets its certificate. */
type TlsConfig =
  | { kind: 'self-signed' }
  | ({ kind: 'files' } & TlsFiles)
  | ({ kind: 'obtained' } & AutomaticHttps);

/** Returns undefined if HTTPS is disabled. Throws ConfigError if only one of the files is set. */
export function completeTls(
  { isEnabled, certificateFile, keyFile }: SettingsOf<typeof tlsTree>,
  automatic: AutomaticHttps | undefined,
): TlsConfig | undefined {
  if (automatic !== undefined) return { kind: 'obtained', ...automatic };
  if (!isEnabled) return undefined;
  if (certificateFile === undefined && keyFile === undefined) return { kind: 'self-signed' };
  if (certificateFile !== undefined && keyFile !== undefined) {
    return { kind: 'files', certificateFile, keyFile };
  }
  const [missing, other] =
    keyFile === undefined
      ? [tlsTree.keyFile, tlsTree.certificateFile]
      : [tlsTree.certificateFile, tlsTree.keyFile];
  throw new ConfigError([missingSetting(missing, `${other.name} is set`)]);
}
