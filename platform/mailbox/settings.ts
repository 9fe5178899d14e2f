/** Settings of the local mailbox. Its keys in config.toml are those of the mail catcher of the Supabase CLI. */
import {
  booleanSetting,
  ConfigError,
  type ConfigKey,
  type ConfigOf,
  type ConfigValue,
  defineSettings,
  integerSetting,
  type SettingsContext,
  type SettingsOf,
  scalarText,
  setting,
  textSetting,
} from '@greenroom/config';
import { z } from 'zod';

const MAX_PORT = 65_535;

/** Returns a key, which earlier versions of the format had in another table. */
function mailboxKey(name: string, details: Partial<ConfigKey> = {}): ConfigKey {
  return { key: `local_smtp.${name}`, formerKeys: [`inbucket.${name}`], ...details };
}

/** In config.toml, port 0 of a protocol disables it. */
function optionalPort(value: ConfigValue): string | undefined {
  const text = scalarText(value);
  return text === '0' ? undefined : text;
}

const tree = {
  isEnabled: booleanSetting('GREENROOM_MAILBOX_ENABLED', {
    default: 'false',
    configKey: mailboxKey('enabled', { default: true }),
    description:
      'Whether the mailbox has separate ports on this machine, if the public URL is loopback. Without them, mails are at `/admin/mailbox` only.',
  }),
  port: integerSetting('GREENROOM_MAILBOX_PORT', 0, MAX_PORT, {
    default: '54324',
    configKey: mailboxKey('port'),
    description: 'Port of the HTTP API of the mailbox. 0: any free port.',
  }),
  /** Undefined means that no mails are received. */
  smtpPort: integerSetting('GREENROOM_MAILBOX_SMTP_PORT', 0, MAX_PORT, {
    default: undefined,
    configKey: mailboxKey('smtp_port', { toText: optionalPort }),
    description:
      'Port of an SMTP server that puts mails of programs on this machine into the mailbox. 0: any free port (in config.toml: none).',
  }),
  /** Undefined means that mails cannot be fetched by POP3. */
  pop3Port: integerSetting('GREENROOM_MAILBOX_POP3_PORT', 0, MAX_PORT, {
    default: undefined,
    configKey: mailboxKey('pop3_port', { toText: optionalPort }),
    description: 'Port of a POP3 server of the mailbox. 0: any free port (in config.toml: none).',
  }),
  address: setting('GREENROOM_MAILBOX_ADMIN_EMAIL', z.email(), 'an email address', {
    default: 'admin@email.com',
    configKey: mailboxKey('admin_email'),
    description: 'Sender address of mails in the mailbox.',
  }),
  senderName: textSetting('GREENROOM_MAILBOX_SENDER_NAME', 'a name', {
    default: 'Admin',
    configKey: mailboxKey('sender_name'),
    description: 'Sender name of mails in the mailbox.',
  }),
};

export const mailboxSettings = defineSettings({
  title: 'Local mailbox',
  tree,
  complete(values, { instance: { limitsLoopback, trustedProxies } }: SettingsContext) {
    const { isEnabled, port, smtpPort, pop3Port, address, senderName } = values;
    if (isEnabled) requireDifferentPorts({ port, smtpPort, pop3Port });
    return {
      isEnabled,
      /** Mails contain links that sign in, so they have no ports where visitors of other machines are expected. */
      isServed: isEnabled && !limitsLoopback && trustedProxies.length === 0,
      ports: { http: port, smtp: smtpPort, pop3: pop3Port },
      sender: { name: senderName, address },
    };
  },
});

export type MailboxConfig = ConfigOf<typeof mailboxSettings>;

/** Throws ConfigError for a port that another server of the mailbox has. */
function requireDifferentPorts(ports: Pick<SettingsOf<typeof tree>, 'port' | 'smtpPort' | 'pop3Port'>): void {
  const names = ['port', 'smtpPort', 'pop3Port'] as const;
  const problems = names.flatMap((name, index) => {
    const other = names.slice(0, index).find((each) => ports[each] === ports[name]);
    const value = ports[name];
    if (other === undefined || !value) return [];
    return [
      { name: tree[name].name, value: String(value), allowed: `a port other than ${tree[other].name}` },
    ];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}
