/** GET /sso/saml/metadata: the service provider metadata for identity providers (SAML 2.0 Metadata). */
import { createHash } from 'node:crypto';
import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { NAME_ID_FORMATS } from './name-id-format.ts';
import { requireServiceProvider, type ServiceProvider } from './service-provider.ts';

/** Validity of a downloaded copy in years. */
const VALID_YEARS = 5;

/** Returns XML; with `?download=true` as a file. */
export async function serviceMetadata(
  { config, now }: AuthContext,
  { query }: AuthRequest,
): Promise<AuthResponse> {
  const provider = requireServiceProvider(config);
  const isDownload = query.get('download') === 'true';
  const xml = metadataXml(provider);
  const headers = {
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': 'public, max-age=600',
    ...(isDownload && { 'content-disposition': 'attachment; filename="metadata.xml"' }),
  };
  return { status: 200, headers, body: isDownload ? withExpiry(xml, now()) : xml };
}

function metadataXml({ entityId, acsUrl, privateKey, certificate, decrypts }: ServiceProvider): string {
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    privateKey,
    publicCerts: certificate,
    identifierFormat: NAME_ID_FORMATS.persistent,
    wantAssertionsSigned: true,
    // Keeps the document identical for all requests.
    generateUniqueId: () => `_${createHash('sha256').update(entityId).digest('hex').slice(0, 40)}`,
    ...(decrypts && { decryptionPvk: privateKey, decryptionCert: certificate }),
  });
}

function withExpiry(xml: string, now: Date): string {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + VALID_YEARS);
  return xml.replace('<EntityDescriptor ', `<EntityDescriptor validUntil="${end.toISOString()}" `);
}
