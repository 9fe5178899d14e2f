/** Settings of single sign-on with SAML 2.0. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import {
  booleanSetting,
  ConfigError,
  durationSetting,
  missingSetting,
  rateSetting,
  type SettingsOf,
  setting,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';

const MIN_KEY_BITS = 2048;
const KEY_FORM = 'an RSA private key of at least 2048 bits as DER (PKCS#1 or PKCS#8) in base64';

const rsaKey = z.string().transform((text, context) => {
  const key = readRsaKey(text);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: KEY_FORM });
  return z.NEVER;
});

function readRsaKey(text: string): KeyObject | undefined {
  const der = Buffer.from(text, 'base64');
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      const key = createPrivateKey({ key: der, format: 'der', type });
      const isRsa = key.asymmetricKeyType === 'rsa';
      return isRsa && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS ? key : undefined;
    } catch {
      // Try the other format.
    }
  }
  return undefined;
}

export const samlTree = {
  isEnabled: booleanSetting('GOTRUE_SAML_ENABLED', {
    default: 'false',
    description: 'Whether single sign-on by SAML 2.0 is enabled.',
  }),
  /** Signs requests and decrypts assertions. */
  key: setting('GOTRUE_SAML_PRIVATE_KEY', rsaKey, KEY_FORM, {
    default: undefined,
    secret: true,
    description: 'Key that signs requests to identity providers and decrypts their assertions.',
  }),
  encryptedAssertions: booleanSetting('GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS', {
    default: 'false',
    description: 'Whether identity providers may encrypt assertions.',
  }),
  relayStateMs: durationSetting('GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD', {
    default: '2m',
    description: 'Maximum duration of a sign-in at the identity provider.',
  }),
  /** Public URL of this service for identity providers, without a trailing slash. */
  url: urlSetting('GOTRUE_SAML_EXTERNAL_URL', {
    default: undefined,
    description:
      'Public URL of the authentication service for identity providers. Unset: API_EXTERNAL_URL followed by /auth/v1.',
  }),
  /** Per 5 minutes. */
  assertions: rateSetting('GOTRUE_SAML_RATE_LIMIT_ASSERTION', {
    default: '15',
    description: 'Responses of identity providers per client in 5 minutes.',
  }),
  /** Per 5 minutes. */
  signIns: rateSetting('GOTRUE_RATE_LIMIT_SSO', {
    default: '30',
    description: 'Started single sign-ons per client in 5 minutes.',
  }),
  privateNetwork: booleanSetting('GREENROOM_SAML_PRIVATE_NETWORK', {
    default: 'false',
    description: 'Whether `metadata_url` may lead to this machine and to private networks.',
  }),
};

/**
 * Adds the default URL, and removes the key if SAML is disabled. Throws ConfigError if SAML is enabled without a key.
 * @param externalUrl public URL of the API
 */
export function completeSaml({ isEnabled, ...values }: SettingsOf<typeof samlTree>, externalUrl: string) {
  if (isEnabled && values.key === undefined) {
    const problem = missingSetting(samlTree.key, `${samlTree.isEnabled.name} is true`);
    throw new ConfigError([{ ...problem, value: undefined }]);
  }
  return {
    ...values,
    /** Undefined: SAML is disabled. */
    key: isEnabled ? values.key : undefined,
    url: values.url ?? `${externalUrl}/auth/v1`,
  };
}
