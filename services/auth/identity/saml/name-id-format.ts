/** Formats of user ids at identity providers (SAML 2.0 Core §8.3). */

/** Formats that can be requested from a provider. */
export const NAME_ID_FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const;

export function isNameIdFormat(text: string): boolean {
  return (Object.values(NAME_ID_FORMATS) as string[]).includes(text);
}
