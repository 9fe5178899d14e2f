/**
 * Settings of external providers, under GoTrue's names: `GOTRUE_EXTERNAL_GOOGLE_ENABLED` and so on, the same ones for
 * each provider. What a provider is like is known to the authentication service.
 */
import { z } from 'zod';
import { ConfigError, type ConfigProblem } from '../config-error.ts';
import { isPublicUrl } from '../public-url.ts';
import {
  booleanVariable,
  integerVariable,
  listVariable,
  textVariable,
  urlVariable,
  type Values,
  type Variable,
} from '../variable.ts';

/** The providers that can be configured, in GoTrue's order. */
export const PROVIDER_NAMES = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'x',
  'vercel_marketplace',
  'zoom',
] as const;

/** A provider that can be configured. */
type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The settings of one provider; each name follows `GOTRUE_EXTERNAL_<PROVIDER>_`. */
export const settingsOfProvider = {
  ENABLED: booleanVariable({ default: 'false', description: 'Sign-in with this provider.' }),
  CLIENT_ID: listVariable('client ids separated by commas', {
    default: '',
    description:
      'Whom the provider knows this service as. More than one: ID tokens for the others are taken, too.',
  }),
  SECRET: textVariable('a secret', {
    default: undefined,
    secret: true,
    description: 'Of the first client id.',
  }),
  REDIRECT_URI: urlVariable({
    default: undefined,
    description: 'Where the provider sends people back to. Unset: `/auth/v1/callback` of this service.',
  }),
  URL: urlVariable({
    default: undefined,
    description: "The provider's address, where it is not the usual one; Keycloak's realm.",
  }),
  SKIP_NONCE_CHECK: booleanVariable({
    default: 'false',
    description: 'Takes ID tokens whose nonce nobody can check.',
  }),
  EMAIL_OPTIONAL: booleanVariable({
    default: 'false',
    description: 'Takes people of whom the provider tells no email address.',
  }),
} as const satisfies Record<string, Variable>;

/** What each name begins with. */
export function providerVariable(provider: string, setting: string): string {
  return `GOTRUE_EXTERNAL_${provider.toUpperCase()}_${setting}`;
}

/** The variables of all providers. */
export const providerVariables: Record<string, Variable> = Object.fromEntries(
  PROVIDER_NAMES.flatMap((provider) =>
    Object.entries(settingsOfProvider).map(([setting, declared]) => [
      providerVariable(provider, setting),
      declared,
    ]),
  ),
);

/** Environment variables that concern all providers. */
export const externalVariables = {
  GOTRUE_EXTERNAL_REDIRECT_URL: urlVariable({
    default: undefined,
    description: 'Where providers send people back to, for those without an own `…_REDIRECT_URI`.',
  }),
  GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS: listVariable(
    'URLs separated by commas',
    {
      default: 'https://appleid.apple.com,https://accounts.google.com',
      description: 'Issuers whose ID tokens are taken when a client names the issuer instead of a provider.',
    },
    z.url(),
  ),
  GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS: booleanVariable({
    default: 'false',
    description: 'Signs people in whose provider does not vouch for their address, with an unconfirmed one.',
  }),
  GOTRUE_CUSTOM_OAUTH_ENABLED: booleanVariable({
    default: 'true',
    description: 'Whether admins may add providers of their own.',
  }),
  GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS: integerVariable(0, 1000, {
    default: '0',
    description: 'How many of those there may be; 0: any number.',
  }),
  GREENROOM_CUSTOM_OAUTH_PRIVATE_NETWORK: booleanVariable({
    default: undefined,
    description:
      'Whether those may be on this machine and in private networks. Not set: while the public URL of the API is a loopback URL.',
  }),
};

/** One provider that is enabled. */
export interface ProviderSettings {
  /** The first is this service's; ID tokens may be for any of them. */
  clientIds: readonly [string, ...string[]];
  secret: string | undefined;
  redirectUri: string;
  /** Instead of the provider's usual address. */
  url: string | undefined;
  skipNonceCheck: boolean;
  emailOptional: boolean;
}

/** Settings. */
export interface ExternalSettings {
  providers: ReadonlyMap<string, ProviderSettings>;
  callbackUrl: string;
  idTokenIssuers: readonly string[];
  unverifiedSignIns: boolean;
  customProviders: boolean;
  /** Of custom providers; 0: any number. */
  maxCustomProviders: number;
  /** Whether custom providers may have private addresses. */
  privateCustomProviders: boolean;
}

/**
 * Groups the values. Throws {@link ConfigError} where an enabled provider lacks its client id, its secret or its URL.
 * @param apiUrl public URL of the API, without a slash at the end
 */
export function externalSettings(
  values: Values<typeof externalVariables>,
  ofProviders: Record<string, unknown>,
  apiUrl: string,
): ExternalSettings {
  const callbackUrl = values.GOTRUE_EXTERNAL_REDIRECT_URL ?? `${apiUrl}/auth/v1/callback`;
  const enabled = PROVIDER_NAMES.map((name) => ({ name, settings: valuesOf(name, ofProviders) })).filter(
    ({ settings }) => settings.ENABLED,
  );
  const problems = enabled.flatMap(({ name, settings }) => problemsOf(name, settings));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    callbackUrl,
    providers: new Map(enabled.map(({ name, settings }) => [name, toSettings(settings, callbackUrl)])),
    idTokenIssuers: values.GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS,
    unverifiedSignIns: values.GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS,
    customProviders: values.GOTRUE_CUSTOM_OAUTH_ENABLED,
    maxCustomProviders: values.GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS,
    privateCustomProviders: values.GREENROOM_CUSTOM_OAUTH_PRIVATE_NETWORK ?? !isPublicUrl(apiUrl),
  };
}

type ProviderValues = Values<typeof settingsOfProvider>;

function valuesOf(provider: ProviderName, values: Record<string, unknown>): ProviderValues {
  const entries = Object.keys(settingsOfProvider).map((setting) => [
    setting,
    values[providerVariable(provider, setting)],
  ]);
  return Object.fromEntries(entries) as ProviderValues;
}

function problemsOf(provider: ProviderName, settings: ProviderValues): ConfigProblem[] {
  const needed = {
    CLIENT_ID: settings.CLIENT_ID.length > 0,
    // Known by its ID tokens only.
    SECRET: settings.SECRET !== undefined || provider === 'vercel_marketplace',
    URL: settings.URL !== undefined || provider !== 'keycloak',
  };
  return Object.entries(needed)
    .filter(([, isGiven]) => !isGiven)
    .map(([setting]) => ({
      name: providerVariable(provider, setting),
      value: '',
      allowed: `${settingsOfProvider[setting as keyof typeof needed].allowed} (${providerVariable(provider, 'ENABLED')} is true)`,
    }));
}

function toSettings(settings: ProviderValues, callbackUrl: string): ProviderSettings {
  return {
    clientIds: settings.CLIENT_ID as [string, ...string[]],
    secret: settings.SECRET,
    redirectUri: settings.REDIRECT_URI ?? callbackUrl,
    url: settings.URL,
    skipNonceCheck: settings.SKIP_NONCE_CHECK,
    emailOptional: settings.EMAIL_OPTIONAL,
  };
}
