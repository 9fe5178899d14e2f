/** What the metadata of an identity provider says (SAML 2.0 Metadata): who it is, where to send people, its keys. */
import { X509Certificate } from 'node:crypto';
import {
  attributeOf,
  childrenOf,
  descendantsOf,
  isElement,
  parseXml,
  SENT_BY_ADMINS,
  textOf,
  timeOf,
  XmlError,
} from './xml.ts';

/** In characters. Those of large organisations have some 100,000. */
export const MAX_METADATA_LENGTH = 512 * 1024;

const MAX_ENTITY_ID_LENGTH = 1024;
const LEAST_KEY_BITS = 2048;
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
/** XML Schema's duration, in the parts that have a fixed length. */
const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.\d+)?S)?)?$/;

/** An identity provider. */
export interface IdentityProvider {
  entityId: string;
  /** Where requests to sign in go. */
  signInUrl: string;
  /** PEM; each of their keys may sign. */
  certificates: string[];
  /** When the metadata are no longer good. */
  validUntil: Date | undefined;
  /** How long they may be kept. */
  cacheMs: number | undefined;
}

/** Reads metadata. Throws {@link XmlError} whose message says what is wrong with them. */
export function parseIdentityProvider(xml: string): IdentityProvider {
  if (xml.length > MAX_METADATA_LENGTH)
    throw new XmlError(`it is longer than ${MAX_METADATA_LENGTH} characters`);
  const entity = entityOf(parseXml(xml, SENT_BY_ADMINS));
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

/** Of a list of entities, the first that is an identity provider. */
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

/** Keys without a use are for everything (§2.4.1.1). */
function certificatesOf(role: Element): string[] {
  const keys = childrenOf(role, 'metadata', 'KeyDescriptor').filter(
    (key) => (attributeOf(key, 'use') ?? 'signing') === 'signing',
  );
  const texts = keys.flatMap((key) => descendantsOf(key, 'signature', 'X509Certificate').map(textOf));
  const usable = texts.map(certificatePem).filter((certificate) => certificate !== undefined);
  if (usable.length > 0) return usable;
  throw new XmlError('it has no certificate for signing with an RSA key of at least 2048 bits');
}

/** When a certificate ends says nothing here: what counts is that the metadata name it. */
function certificatePem(base64: string): string | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    return type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_KEY_BITS
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
