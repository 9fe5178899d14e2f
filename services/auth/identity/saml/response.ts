/**
 * Answers of identity providers: whether what came in a form is a response that says who has signed in. Signatures,
 * decryption, conditions and audience are node-saml's; what it does not look at is looked at here. Nothing that is not
 * signed is read, but to refuse it.
 */
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { failure } from '../../errors.ts';
import { requireSafeCiphers, requireSafeSignatures } from './algorithms.ts';
import { type Assertion, CLOCK_SKEW_MS, MAX_AGE_MS, readAssertion } from './assertion.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ServiceProvider } from './service-provider.ts';
import {
  attributeOf,
  childrenOf,
  isElement,
  onlyChild,
  parseXml,
  SENT_BY_ANYBODY,
  textOf,
  XmlError,
} from './xml.ts';

/** In characters of base64. */
const MAX_RESPONSE_LENGTH = 384 * 1024;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** A response as it was sent, parsed and not yet believed. */
export interface SentResponse {
  base64: string;
  root: Element;
  /** Who says to have sent it. */
  issuer: string;
}

/** Reads the form's field. Throws `validation_failed`. */
export function parseResponse(base64: string): SentResponse {
  if (base64 === '') throw refused('SAMLResponse is missing');
  if (base64.length > MAX_RESPONSE_LENGTH) throw refused('SAMLResponse is too long');
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64)) throw refused('SAMLResponse is not a valid Base64 string');
  try {
    const root = parseXml(Buffer.from(base64, 'base64').toString('utf8'), SENT_BY_ANYBODY);
    if (!isElement(root, 'protocol', 'Response')) throw new XmlError('it is no response');
    const issuer = onlyChild(root, 'assertion', 'Issuer') ?? assertionIssuer(root);
    return { base64, root, issuer: issuer === undefined ? '' : textOf(issuer) };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw refused(`SAMLResponse is not a valid XML SAML assertion: ${error.message}`);
  }
}

/** A response need not name its issuer, if its assertion does. */
function assertionIssuer(root: Element): Element | undefined {
  const assertion = onlyChild(root, 'assertion', 'Assertion');
  return assertion && onlyChild(assertion, 'assertion', 'Issuer');
}

/** What a response is checked against. */
interface ResponseCheck {
  serviceProvider: ServiceProvider;
  identityProvider: IdentityProvider;
  /** Undefined where the identity provider has begun. */
  requestId: string | undefined;
  now: Date;
}

/** Believes a response, or throws `validation_failed`. */
export async function verifyResponse(sent: SentResponse, check: ResponseCheck): Promise<Assertion> {
  try {
    const isEncrypted = checkOutside(sent, check);
    const { profile } = await verifier(check, isEncrypted).validatePostResponseAsync({
      SAMLResponse: sent.base64,
    });
    const xml = profile?.getAssertionXml?.();
    if (xml === undefined) throw new XmlError('it has no assertion');
    return readAssertion(parseXml(xml, SENT_BY_ANYBODY), {
      issuer: check.identityProvider.entityId,
      recipient: check.serviceProvider.acsUrl,
      requestId: check.requestId,
      now: check.now,
    });
  } catch (error) {
    // node-saml throws plain errors, some with parts of the response in them. What is wrong with ciphertext is not told.
    const reason = error instanceof XmlError ? `: ${error.message}` : '';
    throw refused(`SAML Assertion is not valid${reason}`);
  }
}

/** What nothing may contradict, signed or not. Gives whether the assertion is encrypted. */
function checkOutside({ root, issuer }: SentResponse, check: ResponseCheck): boolean {
  const { serviceProvider, identityProvider, requestId } = check;
  if (issuer !== identityProvider.entityId) throw new XmlError('it is from somebody else');
  if (attributeOf(root, 'Version') !== '2.0') throw new XmlError('it is not of SAML 2.0');
  if ((attributeOf(root, 'Destination') || serviceProvider.acsUrl) !== serviceProvider.acsUrl) {
    throw new XmlError('it was sent elsewhere');
  }
  const inResponseTo = attributeOf(root, 'InResponseTo');
  if (inResponseTo !== undefined && inResponseTo !== requestId)
    throw new XmlError('it answers something else');
  requireSuccess(root);
  requireSafeSignatures(root);
  return requireEncryption(root, serviceProvider);
}

function requireSuccess(root: Element): void {
  const status = onlyChild(root, 'protocol', 'Status');
  const code = status && onlyChild(status, 'protocol', 'StatusCode');
  const value = code && attributeOf(code, 'Value');
  if (value === SUCCESS) return;
  throw new XmlError('the identity provider has refused');
}

function requireEncryption(root: Element, { decrypts }: ServiceProvider): boolean {
  if (childrenOf(root, 'assertion', 'EncryptedAssertion').length === 0) return false;
  if (!decrypts) throw new XmlError('it is encrypted');
  requireSafeCiphers(root);
  return true;
}

/**
 * Ciphertext is decrypted only where the signature of the whole response says who made it: else anybody could learn from
 * our answers what is in it.
 */
function verifier(
  { serviceProvider, identityProvider, requestId, now }: ResponseCheck,
  isEncrypted: boolean,
): SAML {
  const options: SamlConfig = {
    issuer: serviceProvider.entityId,
    audience: serviceProvider.entityId,
    callbackUrl: serviceProvider.acsUrl,
    idpCert: identityProvider.certificates,
    idpIssuer: identityProvider.entityId,
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: isEncrypted,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_AGE_MS,
    validateInResponseTo: requestId === undefined ? ValidateInResponseTo.never : ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId, now),
    ...(isEncrypted && { decryptionPvk: serviceProvider.privateKey }),
  };
  return new SAML(options);
}

/** The one request that can be answered: the relay state, which is used up, has named it. */
function onlyRequest(requestId: string | undefined, now: Date): NonNullable<SamlConfig['cacheProvider']> {
  return {
    saveAsync: async () => null,
    getAsync: async (id) => (id === requestId ? now.toISOString() : null),
    removeAsync: async () => null,
  };
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
