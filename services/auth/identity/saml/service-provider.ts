/** Who we are to identity providers: addresses, key and certificate. */
import type { KeyObject } from 'node:crypto';
import { failure } from '../../errors.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import { selfSignedCertificate } from './certificate.ts';

/** The service provider of SAML. */
export interface ServiceProvider {
  /** Also the URL of our metadata. */
  entityId: string;
  /** The assertion consumer service: where identity providers send people back to. */
  acsUrl: string;
  /** PEM. Signs and decrypts. */
  privateKey: string;
  /** PEM, of that key. */
  certificate: string;
  /** Whether assertions may be encrypted. */
  decrypts: boolean;
}

/** The certificate is made once per configuration. */
const known = new WeakMap<AuthConfig['saml'], ServiceProvider>();

/** Throws `saml_provider_disabled` where SAML is switched off. */
export function requireServiceProvider({ saml }: Pick<AuthConfig, 'saml'>): ServiceProvider {
  if (saml.key === undefined) throw failure('saml_provider_disabled');
  const made = known.get(saml) ?? makeServiceProvider(saml, saml.key);
  known.set(saml, made);
  return made;
}

function makeServiceProvider(
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
