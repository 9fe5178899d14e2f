/** This service as a SAML service provider: URLs, key and certificate. */
import type { KeyObject } from 'node:crypto';
import { failure } from '../../errors.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import { selfSignedCertificate } from './certificate.ts';

export interface ServiceProvider {
  /** Also the URL of the service provider metadata. */
  entityId: string;
  /** URL of the assertion consumer service, to which identity providers send responses. */
  acsUrl: string;
  /** PEM. Signs requests and decrypts assertions. */
  privateKey: string;
  /** PEM, for that key. */
  certificate: string;
  decrypts: boolean;
}

/** Creates the certificate once per configuration. */
const cache = new WeakMap<AuthConfig['saml'], ServiceProvider>();

/** Throws `saml_provider_disabled` if SAML is disabled. */
export function requireServiceProvider({ saml }: Pick<AuthConfig, 'saml'>): ServiceProvider {
  if (saml.key === undefined) throw failure('saml_provider_disabled');
  const provider = cache.get(saml) ?? createServiceProvider(saml, saml.key);
  cache.set(saml, provider);
  return provider;
}

function createServiceProvider(
  { url, encryptedAssertions }: AuthConfig['saml'],
  key: KeyObject,
): ServiceProvider {
  return {
    entityId: `${url}/sso/saml/metadata`,
    acsUrl: `${url}/sso/saml/acs`,
    privateKey: String(key.export({ type: 'pkcs8', format: 'pem' })),
    certificate: selfSignedCertificate(key, new URL(url).hostname),
    decrypts: encryptedAssertions,
  };
}
