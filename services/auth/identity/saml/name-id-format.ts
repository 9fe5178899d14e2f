/** How identity providers name people (SAML 2.0 Core §8.3). */

/** The formats that a provider can be asked for. */
export const NAME_ID_FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const;

/** Whether a text is one of them. */
export function isNameIdFormat(text: string): boolean {
  return (Object.values(NAME_ID_FORMATS) as string[]).includes(text);
}
