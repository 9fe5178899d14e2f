/** Reads the SAML metadata of an SSO provider. Loaded with the first metadata, because it needs an XML parser. */
import { failure } from '../errors.ts';
import { fetchMetadata } from '../identity/saml/fetch-metadata.ts';
import { MAX_METADATA_LENGTH, parseIdentityProvider } from '../identity/saml/identity-provider.ts';
import { XmlError } from '../identity/saml/xml.ts';

/** Metadata as stored. */
export interface Metadata {
  entityId: string;
  xml: string;
  /** Null if an admin uploaded the metadata. */
  url: string | null;
}

/**
 * Parses metadata, either the text or the document at the URL. Throws `validation_failed`,
 * `saml_metadata_fetch_failed`.
 */
export async function readMetadata(xml: string, url: string, mayBePrivate: boolean): Promise<Metadata> {
  if (xml.length > MAX_METADATA_LENGTH) throw validationFailure('SAML Metadata is too long');
  const text = url === '' ? xml : await fetchMetadata(url, mayBePrivate);
  try {
    return { entityId: parseIdentityProvider(text).entityId, xml: text, url: url || null };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw validationFailure(`SAML Metadata is not valid: ${error.message}`);
  }
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
