/**
 * Parses and verifies responses of identity providers. node-saml verifies signatures, conditions and audience,
 * and decrypts; this module makes the checks that node-saml omits. Unsigned content is only read in order to
 * reject a response.
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
  textOf,
  UNTRUSTED_LIMITS,
  XmlError,
} from './xml.ts';

/** In base64 characters. */
const MAX_RESPONSE_LENGTH = 384 * 1024;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** A parsed response that has not been verified. */
export interface UnverifiedResponse {
  base64: string;
  root: Element;
  /** The claimed issuer. */
  issuer: string;
}

/** Parses form field `SAMLResponse`. Throws `validation_failed`. */
export function parseResponse(base64: string): UnverifiedResponse {
  if (base64 === '') throw validationFailure('SAMLResponse is missing');
  if (base64.length > MAX_RESPONSE_LENGTH) throw validationFailure('SAMLResponse is too long');
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64))
    throw validationFailure('SAMLResponse is not a valid Base64 string');
  try {
    const root = parseXml(Buffer.from(base64, 'base64').toString('utf8'), UNTRUSTED_LIMITS);
    if (!isElement(root, 'protocol', 'Response')) throw new XmlError('it is not a response');
    const issuer = onlyChild(root, 'assertion', 'Issuer') ?? assertionIssuer(root);
    return { base64, root, issuer: issuer === undefined ? '' : textOf(issuer) };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw validationFailure(`SAMLResponse is not a valid XML SAML assertion: ${error.message}`);
  }
}

/** The issuer of a response is optional if its assertion has one. */
function assertionIssuer(root: Element): Element | undefined {
  const assertion = onlyChild(root, 'assertion', 'Assertion');
  return assertion && onlyChild(assertion, 'assertion', 'Issuer');
}

interface ResponseCheck {
  serviceProvider: ServiceProvider;
  identityProvider: IdentityProvider;
  /** Undefined for sign-ins initiated by the identity provider. */
  requestId: string | undefined;
  now: Date;
}

/** Verifies a response and returns its assertion. Throws `validation_failed`. */
export async function verifyResponse(response: UnverifiedResponse, check: ResponseCheck): Promise<Assertion> {
  try {
    const isEncrypted = checkEnvelope(response, check);
    const { profile } = await createVerifier(check, isEncrypted).validatePostResponseAsync({
      SAMLResponse: response.base64,
    });
    const xml = profile?.getAssertionXml?.();
    if (xml === undefined) throw new XmlError('it has no assertion');
    return readAssertion(parseXml(xml, UNTRUSTED_LIMITS), {
      issuer: check.identityProvider.entityId,
      recipient: check.serviceProvider.acsUrl,
      requestId: check.requestId,
      now: check.now,
    });
  } catch (error) {
    // Do not pass on errors of node-saml: some contain parts of the response, and details about ciphertext
    // would help an attacker.
    const reason = error instanceof XmlError ? `: ${error.message}` : '';
    throw validationFailure(`SAML Assertion is not valid${reason}`);
  }
}

/** Checks properties of the response that must hold even if unsigned. Returns whether the assertion is encrypted. */
function checkEnvelope({ root, issuer }: UnverifiedResponse, check: ResponseCheck): boolean {
  const { serviceProvider, identityProvider, requestId } = check;
  if (issuer !== identityProvider.entityId) throw new XmlError('its issuer is not the identity provider');
  if (attributeOf(root, 'Version') !== '2.0') throw new XmlError('its version is not SAML 2.0');
  if ((attributeOf(root, 'Destination') || serviceProvider.acsUrl) !== serviceProvider.acsUrl) {
    throw new XmlError('its destination is another service');
  }
  const inResponseTo = attributeOf(root, 'InResponseTo');
  if (inResponseTo !== undefined && inResponseTo !== requestId)
    throw new XmlError('it responds to another request');
  requireSuccess(root);
  requireSafeSignatures(root);
  return requireEncryption(root, serviceProvider);
}

function requireSuccess(root: Element): void {
  const status = onlyChild(root, 'protocol', 'Status');
  const code = status && onlyChild(status, 'protocol', 'StatusCode');
  const value = code && attributeOf(code, 'Value');
  if (value === SUCCESS) return;
  throw new XmlError('the identity provider rejected the sign-in');
}

function requireEncryption(root: Element, { decrypts }: ServiceProvider): boolean {
  if (childrenOf(root, 'assertion', 'EncryptedAssertion').length === 0) return false;
  if (!decrypts) throw new XmlError('it is encrypted, but encrypted assertions are not allowed');
  requireSafeCiphers(root);
  return true;
}

/**
 * Decrypts only if the whole response is signed by the identity provider: otherwise an attacker could use this
 * endpoint as a decryption oracle.
 */
function createVerifier(
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
    cacheProvider: singleRequestCache(requestId, now),
    ...(isEncrypted && { decryptionPvk: serviceProvider.privateKey }),
  };
  return new SAML(options);
}

/** Accepts only the request named in the relay state, which has been consumed. */
function singleRequestCache(
  requestId: string | undefined,
  now: Date,
): NonNullable<SamlConfig['cacheProvider']> {
  return {
    saveAsync: async () => null,
    getAsync: async (id) => (id === requestId ? now.toISOString() : null),
    removeAsync: async () => null,
  };
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
