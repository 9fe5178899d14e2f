/** Settings of the delivery of mail and SMS, under GoTrue's names. */
import {
  ConfigError,
  type ConfigKey,
  type ConfigOf,
  type ConfigProblem,
  defineSettings,
  integerSetting,
  missingSetting,
  type Setting,
  type SettingsOf,
  selectedText,
  setting,
  textSetting,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';

/** Keys of the mail server have an effect if it is enabled, and it is enabled if its table does not say so. */
function smtpKey(name: string): ConfigKey {
  const enabled = 'auth.email.smtp.enabled';
  return { key: `auth.email.smtp.${name}`, requires: enabled, requiresTableOnly: true };
}

const smtpTree = {
  /** Undefined means that mails are kept. */
  host: textSetting('GOTRUE_SMTP_HOST', 'a host name', {
    default: undefined,
    configKey: smtpKey('host'),
    description: 'Host name of the mail server. Unset: mails are kept in the database and logged.',
  }),
  port: integerSetting('GOTRUE_SMTP_PORT', 1, 65_535, {
    default: '587',
    configKey: smtpKey('port'),
    description: 'Port of the mail server. 465 uses TLS from the start.',
  }),
  user: textSetting('GOTRUE_SMTP_USER', 'a name', {
    default: undefined,
    configKey: smtpKey('user'),
    description: 'User name at the mail server.',
  }),
  pass: textSetting('GOTRUE_SMTP_PASS', 'a password', {
    default: undefined,
    secret: true,
    configKey: smtpKey('pass'),
    description: 'Password at the mail server.',
  }),
  address: setting('GOTRUE_SMTP_ADMIN_EMAIL', z.email(), 'an email address', {
    default: undefined,
    configKey: smtpKey('admin_email'),
    description: 'Sender address of mails. Required if GOTRUE_SMTP_HOST is set.',
  }),
  senderName: textSetting('GOTRUE_SMTP_SENDER_NAME', 'a name', {
    default: undefined,
    configKey: smtpKey('sender_name'),
    description: 'Sender name of mails.',
  }),
};

/** Declares a credential of an SMS provider. The name ends with the table and the key of config.toml. */
function credential(name: string, allowed: string, description: string, { secret = false } = {}) {
  const [, table = '', key = ''] =
    /^GOTRUE_SMS_(TWILIO_VERIFY|[A-Z]+)_(.+)$/.exec(name)?.map((part) => part.toLowerCase()) ?? [];
  const configKey = { key: `auth.sms.${table}.${key}`, requires: `auth.sms.${table}.enabled` };
  return textSetting(name, allowed, { default: undefined, description, secret, configKey });
}

/** Credentials of each SMS provider. */
const credentialTrees = {
  twilio: {
    accountSid: credential('GOTRUE_SMS_TWILIO_ACCOUNT_SID', 'an account SID', 'Account SID at Twilio.'),
    authToken: credential('GOTRUE_SMS_TWILIO_AUTH_TOKEN', 'a token', 'Auth token at Twilio.', {
      secret: true,
    }),
    /** The sid of a messaging service, or a number of the account. */
    messageServiceSid: credential(
      'GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID',
      'a SID or a phone number',
      'Messaging service or phone number at Twilio that sends SMS.',
    ),
  },
  twilio_verify: {
    accountSid: credential(
      'GOTRUE_SMS_TWILIO_VERIFY_ACCOUNT_SID',
      'an account SID',
      'Account SID at Twilio.',
    ),
    authToken: credential('GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN', 'a token', 'Auth token at Twilio.', {
      secret: true,
    }),
    /** The sid of a Verify service. */
    messageServiceSid: credential(
      'GOTRUE_SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID',
      'a SID',
      'Verify service at Twilio, which creates, sends and checks codes.',
    ),
  },
  vonage: {
    apiKey: credential('GOTRUE_SMS_VONAGE_API_KEY', 'a key', 'API key at Vonage.'),
    apiSecret: credential('GOTRUE_SMS_VONAGE_API_SECRET', 'a secret', 'API secret at Vonage.', {
      secret: true,
    }),
    from: credential('GOTRUE_SMS_VONAGE_FROM', 'a name or a number', 'Sender of SMS at Vonage.'),
  },
  messagebird: {
    accessKey: credential('GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY', 'a key', 'Access key at MessageBird.', {
      secret: true,
    }),
    originator: credential(
      'GOTRUE_SMS_MESSAGEBIRD_ORIGINATOR',
      'a name or a number',
      'Sender of SMS at MessageBird.',
    ),
  },
  textlocal: {
    apiKey: credential('GOTRUE_SMS_TEXTLOCAL_API_KEY', 'a key', 'API key at textlocal.', {
      secret: true,
    }),
    sender: credential('GOTRUE_SMS_TEXTLOCAL_SENDER', 'a name', 'Sender of SMS at textlocal.'),
  },
};

type CredentialTrees = typeof credentialTrees;

export type SmsProviderName = keyof CredentialTrees;

/** Credentials of each provider, and the template of messages by WhatsApp. */
export type SmsCredentials = { [P in SmsProviderName]: Record<keyof CredentialTrees[P], string> } & {
  twilio: { contentSid?: string | undefined };
};

/** A provider of SMS with its credentials. `url` replaces the provider's own address. */
export type SmsSettings<P extends SmsProviderName = SmsProviderName> = {
  [N in P]: { provider: N; credentials: SmsCredentials[N]; url: string | undefined };
}[P];

const SMS_PROVIDERS = Object.keys(credentialTrees) as SmsProviderName[];

/** Settings of SMS. */
export const smsTree = {
  provider: setting(
    'GOTRUE_SMS_PROVIDER',
    z.enum(SMS_PROVIDERS) as unknown as z.ZodType<SmsProviderName, string>,
    SMS_PROVIDERS.join(', '),
    {
      default: undefined,
      configKey: SMS_PROVIDERS.map((name) => ({
        key: `auth.sms.${name}.enabled`,
        toText: selectedText(name),
      })),
      description: 'Provider that sends SMS. Unset: SMS are kept in the database and logged.',
    },
  ),
  url: urlSetting('GREENROOM_SMS_PROVIDER_URL', {
    default: undefined,
    description: "URL of the provider's API instead of the default, e.g. of a region or a test server.",
  }),
  credentials: credentialTrees,
  contentSid: credential(
    'GOTRUE_SMS_TWILIO_CONTENT_SID',
    'a content SID',
    'Template at Twilio of messages by WhatsApp; its variable 1 is the code. Unset: they have the text of SMS.',
  ),
};

const MAX_PROJECT_MAILS_PER_HOUR = 1_000_000;

export const messageSettings = defineSettings({
  title: 'Mail and SMS',
  tree: {
    smtp: smtpTree,
    sms: smsTree,
    projectMailsPerHour: integerSetting('GREENROOM_PROJECT_MAILS_PER_HOUR', 0, MAX_PROJECT_MAILS_PER_HOUR, {
      default: '1000',
      description: 'Mails that SQL of the project may send in an hour by `greenroom.send_mail`.',
    }),
  },
  complete: ({ smtp, sms, projectMailsPerHour }) => ({
    projectMailsPerHour,
    /** Undefined means that mails are kept. */
    smtp: completeSmtp(smtp),
    /** Undefined means that SMS are kept. */
    sms: completeSms(sms),
  }),
});

export type MessageConfig = ConfigOf<typeof messageSettings>;

/** Server, login and sender of mails. */
export interface SmtpSettings {
  host: string;
  port: number;
  login: { user: string; pass: string } | undefined;
  sender: { name: string; address: string };
}

/** Throws ConfigError if the sender or half of the login is missing. */
function completeSmtp(values: SettingsOf<typeof smtpTree>): SmtpSettings | undefined {
  const { host, port, user, pass, address, senderName } = values;
  if (host === undefined) return undefined;
  const problems: ConfigProblem[] = [
    ...missingWith(smtpTree.address, address, smtpTree.host, host),
    ...missingWith(smtpTree.pass, pass, smtpTree.user, user),
    ...missingWith(smtpTree.user, user, smtpTree.pass, pass),
  ];
  if (address === undefined || problems.length > 0) throw new ConfigError(problems);
  const login = user === undefined || pass === undefined ? undefined : { user, pass };
  return { host, port, login, sender: { name: senderName ?? '', address } };
}

/** Returns the problem of a setting that is required if another one is set. */
function missingWith(
  required: Setting,
  value: string | undefined,
  other: Setting,
  otherValue: string | undefined,
): ConfigProblem[] {
  return value === undefined && otherValue !== undefined
    ? [missingSetting(required, `${other.name} is set`)]
    : [];
}

/** Throws ConfigError if credentials of the provider are missing. */
function completeSms(sms: SettingsOf<typeof smsTree>): SmsSettings | undefined {
  const { provider, url, credentials, contentSid } = sms;
  if (provider === undefined) return undefined;
  const declared: Record<string, Setting> = credentialTrees[provider];
  const values: Record<string, string | undefined> = credentials[provider];
  const missing = Object.keys(declared).filter((key) => values[key] === undefined);
  if (missing.length > 0) {
    const reason = `${smsTree.provider.name} is ${provider}`;
    throw new ConfigError(
      missing.flatMap((key) => declared[key] ?? []).map((each) => missingSetting(each, reason)),
    );
  }
  const complete = provider === 'twilio' ? { ...values, contentSid } : values;
  return { provider, credentials: complete, url } as unknown as SmsSettings;
}
