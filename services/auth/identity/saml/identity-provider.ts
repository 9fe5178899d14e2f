/** Reads the metadata of an identity provider (SAML 2.0 Metadata): entity id, sign-in URL and keys. */
import { X509Certificate } from 'node:crypto';
import {
  ADMIN_LIMITS,
  attributeOf,
  childrenOf,
  descendantsOf,
  isElement,
  parseXml,
  textOf,
  timeOf,
  XmlError,
} from './xml.ts';

/** In characters. Metadata of large organisations have about 100,000. */
export const MAX_METADATA_LENGTH = 512 * 1024;

const MAX_ENTITY_ID_LENGTH = 1024;
const MIN_KEY_BITS = 2048;
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
/** XML Schema durations, limited to units of a fixed length. */
const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.\d+)?S)?)?$/;

export interface IdentityProvider {
  entityId: string;
  /** URL for authentication requests. */
  signInUrl: string;
  /** PEM; any of their keys may sign responses. */
  certificates: string[];
  /** When the metadata expire. */
  validUntil: Date | undefined;
  /** How long the metadata may be cached, in milliseconds. */
  cacheMs: number | undefined;
}

/** Parses metadata. Throws {@link XmlError} with the reason if they cannot be used. */
export function parseIdentityProvider(xml: string): IdentityProvider {
  if (xml.length > MAX_METADATA_LENGTH)
    throw new XmlError(`it is longer than ${MAX_METADATA_LENGTH} characters`);
  const entity = entityOf(parseXml(xml, ADMIN_LIMITS));
  const entityId = attributeOf(entity, 'entityID') ?? '';
  if (entityId === '' || entityId.length > MAX_ENTITY_ID_LENGTH) throw new XmlError('it has no EntityID');
  const roles = childrenOf(entity, 'metadata', 'IDPSSODescriptor');
  const [role] = roles;
  if (role === undefined) throw new XmlError('it has no IDPSSODescriptor');
  if (roles.length > 1) throw new XmlError('it has more than one IDPSSODescriptor');
  return {
    entityId,
    signInUrl: signInUrlOf(role),
    certificates: certificatesOf(role),
    validUntil: timeOf(attributeOf(entity, 'validUntil')),
    cacheMs: durationMs(attributeOf(entity, 'cacheDuration')),
  };
}

/** Returns the first identity provider of a list of entities. */
function entityOf(root: Element): Element {
  if (isElement(root, 'metadata', 'EntityDescriptor')) return root;
  if (isElement(root, 'metadata', 'EntitiesDescriptor')) {
    const entities = descendantsOf(root, 'metadata', 'EntityDescriptor');
    const found = entities.find((entity) => childrenOf(entity, 'metadata', 'IDPSSODescriptor').length > 0);
    if (found !== undefined) return found;
  }
  throw new XmlError('it has no EntityDescriptor of an identity provider');
}

function signInUrlOf(role: Element): string {
  const services = childrenOf(role, 'metadata', 'SingleSignOnService');
  const locations = services
    .filter((service) => attributeOf(service, 'Binding') === REDIRECT)
    .map((service) => attributeOf(service, 'Location') ?? '');
  const found = locations.find((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
  if (found !== undefined) return found;
  throw new XmlError('it has no SingleSignOnService with the binding HTTP-Redirect');
}

/** Keys without a `use` serve all purposes (§2.4.1.1). */
function certificatesOf(role: Element): string[] {
  const keys = childrenOf(role, 'metadata', 'KeyDescriptor').filter(
    (key) => (attributeOf(key, 'use') ?? 'signing') === 'signing',
  );
  const texts = keys.flatMap((key) => descendantsOf(key, 'signature', 'X509Certificate').map(textOf));
  const usable = texts.map(certificatePem).filter((certificate) => certificate !== undefined);
  if (usable.length > 0) return usable;
  throw new XmlError('it has no certificate for signing with an RSA key of at least 2048 bits');
}

/** The expiry of the certificate is ignored: a key is valid as long as the metadata list it. */
function certificatePem(base64: string): string | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    return type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_KEY_BITS
      ? certificate.toString()
      : undefined;
  } catch {
    return undefined;
  }
}

function durationMs(text: string | undefined): number | undefined {
  const parts = DURATION.exec(text ?? '');
  if (parts === null) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  const sum = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return sum > 0 ? sum * 1000 : undefined;
}
