/** Settings of SMS that leave this machine, under GoTrue's names. Without a provider, SMS stay here. */
import { z } from 'zod';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { textVariable, urlVariable, type Values, variable } from './variable.ts';

/** What each provider wants to know of its customer. */
export interface SmsCredentials {
  /** `messageServiceSid`: the sid of a messaging service, or a number of the account. */
  twilio: { accountSid: string; authToken: string; messageServiceSid: string };
  vonage: { apiKey: string; apiSecret: string; from: string };
  messagebird: { accessKey: string; originator: string };
  textlocal: { apiKey: string; sender: string };
}

/** A provider that can be configured. */
export type SmsProviderName = keyof SmsCredentials;

/** How SMS are sent: a provider with its own credentials. `url` replaces the provider's own address. */
export type SmsSettings<P extends SmsProviderName = SmsProviderName> = {
  [N in P]: { provider: N; credentials: SmsCredentials[N]; url: string | undefined };
}[P];

const PROVIDERS = ['twilio', 'vonage', 'messagebird', 'textlocal'] as const satisfies SmsProviderName[];

/** Environment variables. */
export const smsVariables = {
  GOTRUE_SMS_PROVIDER: variable(
    z.enum(PROVIDERS),
    `${PROVIDERS.join(', ')} (not twilio_verify: it makes codes of its own)`,
    {
      default: undefined,
      description: 'Who sends SMS; unset: they are kept in the database and announced in the log.',
    },
  ),
  GREENROOM_SMS_PROVIDER_URL: urlVariable({
    default: undefined,
    description: "Where the provider is asked instead of its own address, e.g. a country's or a test's.",
  }),
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: credential('an account sid', 'Twilio: the account.'),
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: credential('a token', 'Twilio: its secret.', { secret: true }),
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: credential(
    'a sid or a phone number',
    'Twilio: the messaging service, or the number that SMS come from.',
  ),
  GOTRUE_SMS_VONAGE_API_KEY: credential('a key', 'Vonage: the account.'),
  GOTRUE_SMS_VONAGE_API_SECRET: credential('a secret', 'Vonage: its secret.', { secret: true }),
  GOTRUE_SMS_VONAGE_FROM: credential('a name or a number', 'Vonage: whom SMS come from.'),
  GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY: credential('a key', 'MessageBird: the secret key.', { secret: true }),
  GOTRUE_SMS_MESSAGEBIRD_ORIGINATOR: credential('a name or a number', 'MessageBird: whom SMS come from.'),
  GOTRUE_SMS_TEXTLOCAL_API_KEY: credential('a key', 'textlocal: the secret key.', { secret: true }),
  GOTRUE_SMS_TEXTLOCAL_SENDER: credential('a name', 'textlocal: whom SMS come from.'),
};

function credential(allowed: string, description: string, { secret = false } = {}) {
  return textVariable(allowed, { default: undefined, description, ...(secret && { secret }) });
}

/** Which variable holds which credential. */
const CREDENTIALS: {
  [P in SmsProviderName]: Record<keyof SmsCredentials[P], keyof typeof smsVariables>;
} = {
  twilio: {
    accountSid: 'GOTRUE_SMS_TWILIO_ACCOUNT_SID',
    authToken: 'GOTRUE_SMS_TWILIO_AUTH_TOKEN',
    messageServiceSid: 'GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID',
  },
  vonage: {
    apiKey: 'GOTRUE_SMS_VONAGE_API_KEY',
    apiSecret: 'GOTRUE_SMS_VONAGE_API_SECRET',
    from: 'GOTRUE_SMS_VONAGE_FROM',
  },
  messagebird: {
    accessKey: 'GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY',
    originator: 'GOTRUE_SMS_MESSAGEBIRD_ORIGINATOR',
  },
  textlocal: { apiKey: 'GOTRUE_SMS_TEXTLOCAL_API_KEY', sender: 'GOTRUE_SMS_TEXTLOCAL_SENDER' },
};

/** Groups the values; undefined without a provider. Throws {@link ConfigError} where its credentials are missing. */
export function smsSettings(values: Values<typeof smsVariables>): SmsSettings | undefined {
  const { GOTRUE_SMS_PROVIDER: provider, GREENROOM_SMS_PROVIDER_URL: url } = values;
  if (provider === undefined) return undefined;
  const wanted: [string, keyof typeof smsVariables][] = Object.entries(CREDENTIALS[provider]);
  const missing = wanted.filter(([, name]) => values[name] === undefined);
  if (missing.length > 0) {
    throw new ConfigError(missing.map(([, name]) => missingCredential(name, provider)));
  }
  const credentials = Object.fromEntries(wanted.map(([key, name]) => [key, values[name]]));
  return { provider, credentials, url } as unknown as SmsSettings;
}

function missingCredential(name: keyof typeof smsVariables, provider: SmsProviderName): ConfigProblem {
  const { allowed } = smsVariables[name];
  return { name, value: '', allowed: `${allowed} (GOTRUE_SMS_PROVIDER is ${provider})` };
}
