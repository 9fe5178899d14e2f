/**
 * Settings of external providers, with GoTrue's names: `GOTRUE_EXTERNAL_GOOGLE_ENABLED` and so on, the same for each
 * provider.
 */
import {
  booleanSetting,
  ConfigError,
  type ConfigProblem,
  integerSetting,
  isPublicUrl,
  listSetting,
  missingSetting,
  type SettingsOf,
  textSetting,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';

/** The properties of a provider that its settings depend on. */
export interface ConfigurableProvider {
  /** Name in requests and, in upper case, in settings: `google`, `GOTRUE_EXTERNAL_GOOGLE_ENABLED`. */
  name: string;
  /** Display name, e.g. `GitHub`. */
  title: string;
  /** Whether sign-in needs a client secret; default: true. False: users can sign in by ID tokens only. */
  needsSecret?: boolean;
  /** Whether a URL must be set, because the provider has no default. */
  needsUrl?: boolean;
  /** Issuer of ID tokens that is accepted by default if a client names an issuer instead of a provider. */
  idTokenIssuer?: string;
}

/** The settings of one provider. */
function providerTree(provider: string, urlDescription: string) {
  const enabled = `auth.external.${provider}.enabled`;
  const named = (suffix: string) => ({
    name: `GOTRUE_EXTERNAL_${provider.toUpperCase()}_${suffix}`,
    documentedAs: `GOTRUE_EXTERNAL_<PROVIDER>_${suffix}`,
    configKey: {
      key: `auth.external.${provider}.${suffix.toLowerCase()}`,
      documentedAs: `auth.external.<provider>.${suffix.toLowerCase()}`,
      requires: enabled,
    },
  });
  const declare = {
    enabled: {
      ...named('ENABLED'),
      configKey: { key: enabled, documentedAs: 'auth.external.<provider>.enabled' },
    },
    clientIds: named('CLIENT_ID'),
    secret: named('SECRET'),
    redirectUri: named('REDIRECT_URI'),
    url: named('URL'),
    skipNonceCheck: named('SKIP_NONCE_CHECK'),
    emailOptional: named('EMAIL_OPTIONAL'),
  };
  return {
    isEnabled: booleanSetting(declare.enabled.name, {
      default: 'false',
      description: 'Whether users may sign in with this provider.',
      documentedAs: declare.enabled.documentedAs,
      configKey: declare.enabled.configKey,
    }),
    clientIds: listSetting(declare.clientIds.name, 'client ids separated by commas', {
      default: '',
      description: 'Client ids. Requests use the first; ID tokens are accepted for all.',
      documentedAs: declare.clientIds.documentedAs,
      configKey: declare.clientIds.configKey,
    }),
    secret: textSetting(declare.secret.name, 'a secret', {
      default: undefined,
      secret: true,
      description: 'Secret of the first client id.',
      documentedAs: declare.secret.documentedAs,
      configKey: declare.secret.configKey,
    }),
    redirectUri: urlSetting(declare.redirectUri.name, {
      default: undefined,
      description: 'URL to which the provider redirects. Unset: GOTRUE_EXTERNAL_REDIRECT_URL.',
      documentedAs: declare.redirectUri.documentedAs,
      configKey: { ...declare.redirectUri.configKey, omitsUnsetVariable: true },
    }),
    url: urlSetting(declare.url.name, {
      default: undefined,
      description: urlDescription,
      documentedAs: declare.url.documentedAs,
      configKey: { ...declare.url.configKey, omitsUnsetVariable: true },
    }),
    skipNonceCheck: booleanSetting(declare.skipNonceCheck.name, {
      default: 'false',
      description: 'Whether ID tokens are accepted whose nonce cannot be checked.',
      documentedAs: declare.skipNonceCheck.documentedAs,
      configKey: declare.skipNonceCheck.configKey,
    }),
    emailOptional: booleanSetting(declare.emailOptional.name, {
      default: 'false',
      description: 'Whether users are accepted for whom the provider returns no email address.',
      documentedAs: declare.emailOptional.documentedAs,
      configKey: declare.emailOptional.configKey,
    }),
  };
}

/** The settings of these providers, and settings that apply to all providers. */
export function providersTree(providers: readonly ConfigurableProvider[]) {
  const issuers = providers.flatMap(({ idTokenIssuer }) => idTokenIssuer ?? []);
  const withoutUsualUrl = providers.filter(({ needsUrl }) => needsUrl).map(({ title }) => title);
  const urlDescription = `URL of the provider, if it is not the default. Required for ${withoutUsualUrl.join(', ')}.`;
  return {
    providers: Object.fromEntries(
      providers.map(({ name }) => [name, providerTree(name, urlDescription)]),
    ) as Readonly<Record<string, ProviderTree>>,
    callbackUrl: urlSetting('GOTRUE_EXTERNAL_REDIRECT_URL', {
      default: undefined,
      description:
        'Default of `…_REDIRECT_URI` for all providers. Unset: API_EXTERNAL_URL followed by /auth/v1/callback.',
    }),
    idTokenIssuers: listSetting(
      'GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS',
      'URLs separated by commas',
      {
        default: issuers.join(','),
        description:
          'Issuers whose ID tokens are accepted if a client names the issuer instead of a provider.',
      },
      z.url(),
    ),
    unverifiedSignIns: booleanSetting('GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS', {
      default: 'false',
      description:
        'Whether users may sign in if the provider has not verified their address; the address stays unconfirmed.',
    }),
    customProviders: booleanSetting('GOTRUE_CUSTOM_OAUTH_ENABLED', {
      default: 'true',
      description: 'Whether admins may add custom providers.',
    }),
    /** 0: no limit. */
    maxCustomProviders: integerSetting('GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS', 0, 1000, {
      default: '0',
      description: 'Maximum number of custom providers. 0: no limit.',
    }),
    privateCustomProviders: booleanSetting('GREENROOM_CUSTOM_OAUTH_PRIVATE_NETWORK', {
      default: undefined,
      description:
        'Whether custom providers may have private addresses. Unset: only while the public URL of the API is a loopback URL.',
    }),
  };
}

type ProviderTree = ReturnType<typeof providerTree>;
type ExternalTree = ReturnType<typeof providersTree>;

/** The settings of an enabled provider. */
export interface ProviderSettings {
  /** The first id is for requests of this service. ID tokens may be issued for any of them. */
  clientIds: readonly [string, ...string[]];
  secret: string | undefined;
  redirectUri: string;
  /** URL of the provider; undefined: the provider's default. */
  url: string | undefined;
  skipNonceCheck: boolean;
  emailOptional: boolean;
}

/**
 * Returns the configuration of the enabled providers. Throws ConfigError with all missing settings.
 * @param apiUrl public URL of the API, without a trailing slash
 */
export function completeExternal(
  values: SettingsOf<ExternalTree>,
  providers: readonly ConfigurableProvider[],
  apiUrl: string,
) {
  const callbackUrl = values.callbackUrl ?? `${apiUrl}/auth/v1/callback`;
  const enabled = providers.flatMap((provider) => {
    const own = values.providers[provider.name];
    return own?.isEnabled ? [{ provider, own }] : [];
  });
  const problems = enabled.flatMap(({ provider, own }) => problemsOf(provider, own));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...values,
    callbackUrl,
    /** Enabled providers by name. */
    providers: new Map(
      enabled.map(({ provider, own }) => [provider.name, toSettings(own, callbackUrl)]),
    ) as ReadonlyMap<string, ProviderSettings>,
    /** Whether custom providers may have private addresses. */
    privateCustomProviders: values.privateCustomProviders ?? !isPublicUrl(apiUrl),
  };
}

type ProviderValues = SettingsOf<ProviderTree>;

function problemsOf(
  { name, needsSecret = true, needsUrl = false }: ConfigurableProvider,
  values: ProviderValues,
): ConfigProblem[] {
  const declared = providerTree(name, '');
  const missing = [
    ...(values.clientIds.length === 0 ? [declared.clientIds] : []),
    ...(values.secret === undefined && needsSecret ? [declared.secret] : []),
    ...(values.url === undefined && needsUrl ? [declared.url] : []),
  ];
  return missing.map((setting) => missingSetting(setting, `${declared.isEnabled.name} is true`));
}

function toSettings(values: ProviderValues, callbackUrl: string): ProviderSettings {
  const { isEnabled: _, clientIds, redirectUri, ...rest } = values;
  return {
    ...rest,
    clientIds: clientIds as readonly string[] as readonly [string, ...string[]],
    redirectUri: redirectUri ?? callbackUrl,
  };
}
