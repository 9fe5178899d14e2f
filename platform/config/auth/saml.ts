/** Settings of single sign-on by SAML 2.0. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { ConfigError } from '../config-error.ts';
import type { Values } from '../variable.ts';
import { booleanVariable, urlVariable, variable } from '../variable.ts';
import { durationVariable, rateVariable } from './kinds.ts';

const LEAST_KEY_BITS = 2048;
const KEY_FORM = 'an RSA private key of at least 2048 bits as DER (PKCS#1 or PKCS#8) in base64';

function rsaKeyVariable(details: { description: string; default: undefined }) {
  const schema = z.string().transform((text, context) => {
    const key = readRsaKey(text);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: KEY_FORM });
    return z.NEVER;
  });
  return variable(schema, KEY_FORM, { ...details, secret: true });
}

function readRsaKey(text: string): KeyObject | undefined {
  const der = Buffer.from(text, 'base64');
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      const key = createPrivateKey({ key: der, format: 'der', type });
      const isRsa = key.asymmetricKeyType === 'rsa';
      return isRsa && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_KEY_BITS ? key : undefined;
    } catch {
      // It may be of the other form.
    }
  }
  return undefined;
}

/** Environment variables. */
export const samlVariables = {
  GOTRUE_SAML_ENABLED: booleanVariable({ default: 'false', description: 'Single sign-on by SAML 2.0.' }),
  GOTRUE_SAML_PRIVATE_KEY: rsaKeyVariable({
    default: undefined,
    description: 'Signs requests to identity providers, and decrypts what they encrypt.',
  }),
  GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: booleanVariable({
    default: 'false',
    description: 'Whether identity providers may encrypt what they say.',
  }),
  GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD: durationVariable({
    default: '2m',
    description: 'How long a sign-in may take at the identity provider.',
  }),
  GOTRUE_SAML_EXTERNAL_URL: urlVariable({
    default: undefined,
    description:
      'Public URL of the authentication service that identity providers know; unset: API_EXTERNAL_URL followed by /auth/v1.',
  }),
  GOTRUE_SAML_RATE_LIMIT_ASSERTION: rateVariable({
    default: '15',
    description: 'Answers of identity providers in 5 minutes.',
  }),
  GOTRUE_RATE_LIMIT_SSO: rateVariable({
    default: '30',
    description: 'Single sign-ons that are begun in 5 minutes.',
  }),
  GREENROOM_SAML_PRIVATE_NETWORK: booleanVariable({
    default: 'false',
    description: 'Whether metadata_url may lead to this machine and to private networks.',
  }),
};

/** Settings. */
export interface SamlSettings {
  saml: {
    /** Undefined: switched off. Signs, and decrypts. */
    key: KeyObject | undefined;
    encryptedAssertions: boolean;
    relayStateMs: number;
    /** Of this service as identity providers know it, without a slash at the end. */
    url: string;
    /** In 5 minutes. */
    assertions: number;
    /** In 5 minutes. */
    signIns: number;
    privateNetwork: boolean;
  };
}

/** Groups the values. Throws {@link ConfigError} where the key is missing. @param externalUrl public URL of the API */
export function samlSettings(values: Values<typeof samlVariables>, externalUrl: string): SamlSettings {
  const key = values.GOTRUE_SAML_ENABLED ? values.GOTRUE_SAML_PRIVATE_KEY : undefined;
  if (values.GOTRUE_SAML_ENABLED && key === undefined) {
    const allowed = `${KEY_FORM} (GOTRUE_SAML_ENABLED is true)`;
    throw new ConfigError([{ name: 'GOTRUE_SAML_PRIVATE_KEY', value: undefined, allowed }]);
  }
  return {
    saml: {
      key,
      encryptedAssertions: values.GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS,
      relayStateMs: values.GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD,
      url: values.GOTRUE_SAML_EXTERNAL_URL ?? `${externalUrl}/auth/v1`,
      assertions: values.GOTRUE_SAML_RATE_LIMIT_ASSERTION,
      signIns: values.GOTRUE_RATE_LIMIT_SSO,
      privateNetwork: values.GREENROOM_SAML_PRIVATE_NETWORK,
    },
  };
}
