/** Parses and validates the body that describes an SSO provider, and loads its metadata. */
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { objectField, optionalTextField, parseBody, textField } from '../http/request-body.ts';
import { type AttributeMapping, attributeMapping } from '../identity/saml/attribute-mapping.ts';
import { isNameIdFormat, NAME_ID_FORMATS } from '../identity/saml/name-id-format.ts';
import type { Metadata } from './sso-provider-metadata.ts';

const MAX_DOMAINS = 200;
const MAX_URL_LENGTH = 2048;
const MAX_RESOURCE_ID_LENGTH = 255;
/** RFC 1123 §2.1, with the total length of RFC 1035 §2.3.4. */
const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

const fields = z.object({
  type: textField,
  metadata_url: textField,
  metadata_xml: textField,
  domains: z.array(z.string()).nullish(),
  attribute_mapping: objectField,
  name_id_format: optionalTextField,
  resource_id: optionalTextField,
  disabled: z.boolean().nullish(),
});

/** The validated fields; undefined if absent. */
export interface ProviderFields {
  type: string;
  metadata: Metadata | undefined;
  /** In lower case, without duplicates. */
  domains: string[] | undefined;
  attributeMapping: AttributeMapping | undefined;
  /** '' resets the format to the default. */
  nameIdFormat: string | undefined;
  resourceId: string | undefined;
  disabled: boolean | undefined;
}

/**
 * Parses a body and fetches the metadata that it refers to. Throws `bad_json`, `validation_failed`,
 * `saml_metadata_fetch_failed`.
 */
export async function readProviderFields(
  { config }: AuthContext,
  body: Uint8Array | undefined,
): Promise<ProviderFields> {
  const parsed = parseBody(body, fields);
  const {
    metadata_xml: xml,
    metadata_url: url,
    name_id_format: nameIdFormat,
    resource_id: resourceId,
  } = parsed;
  if (xml !== '' && url !== '')
    throw validationFailure('Only one of metadata_xml or metadata_url needs to be set');
  if (url.length > MAX_URL_LENGTH) throw validationFailure('metadata_url is too long');
  if (nameIdFormat && !isNameIdFormat(nameIdFormat)) {
    const formats = Object.values(NAME_ID_FORMATS).join(', ');
    throw validationFailure(`name_id_format must be unspecified or one of ${formats}`);
  }
  if (resourceId !== undefined && (resourceId === '' || resourceId.length > MAX_RESOURCE_ID_LENGTH)) {
    throw validationFailure(`resource_id must have 1 to ${MAX_RESOURCE_ID_LENGTH} characters`);
  }
  return {
    type: parsed.type,
    domains: parsed.domains ? requireDomains(parsed.domains) : undefined,
    attributeMapping: parsed.attribute_mapping && requireMapping(parsed.attribute_mapping),
    nameIdFormat,
    resourceId,
    disabled: parsed.disabled ?? undefined,
    metadata: await metadataOf(xml, url, config.saml.privateNetwork),
  };
}

async function metadataOf(xml: string, url: string, mayBePrivate: boolean): Promise<Metadata | undefined> {
  if (xml === '' && url === '') return undefined;
  const { readMetadata } = await import('./sso-provider-metadata.ts');
  return readMetadata(xml, url, mayBePrivate);
}

function requireDomains(domains: readonly string[]): string[] {
  const lower = [...new Set(domains.map((domain) => domain.trim().toLowerCase()))];
  if (lower.length > MAX_DOMAINS)
    throw validationFailure(`domains must not have more than ${MAX_DOMAINS} items`);
  if (!lower.every((domain) => DOMAIN.test(domain)))
    throw validationFailure('domains must contain domain names only');
  return lower;
}

function requireMapping(mapping: Record<string, unknown>): AttributeMapping {
  const parsed = attributeMapping.safeParse(mapping);
  if (parsed.success) return parsed.data;
  throw validationFailure(
    'attribute_mapping must have an object keys, whose values have name, names, default or array',
  );
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
