/**
 * Reads an assertion with a verified signature, and checks the conditions of SAML 2.0 Profiles §4.1.4: expected
 * issuer, this service as recipient, the matching request, and a valid time.
 */
import { attributeOf, childrenOf, isElement, onlyChild, textOf, timeOf, XmlError } from './xml.ts';

/** Allowed clock skew in milliseconds. */
export const CLOCK_SKEW_MS = 180_000;
/** Maximum age of an assertion in milliseconds. Browsers deliver it immediately. */
export const MAX_AGE_MS = 300_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** An attribute of the user. */
export interface Attribute {
  name: string;
  friendlyName: string | undefined;
  values: string[];
}

export interface Assertion {
  id: string;
  nameId: { value: string; format: string | undefined } | undefined;
  attributes: Attribute[];
  /** When the identity provider wants the session to end. */
  sessionNotAfter: Date | undefined;
  /** When the assertion can no longer be accepted. */
  expiresAt: Date;
}

/** Expected properties of an assertion. */
interface Expected {
  /** Entity id of the identity provider. */
  issuer: string;
  /** URL of the assertion consumer service. */
  recipient: string;
  /** Undefined for sign-ins initiated by the identity provider. */
  requestId: string | undefined;
  now: Date;
}

/** Validates and reads an assertion. Throws {@link XmlError}. */
export function readAssertion(element: Element, expected: Expected): Assertion {
  if (!isElement(element, 'assertion', 'Assertion')) throw new XmlError('it is not an assertion');
  const id = attributeOf(element, 'ID') ?? '';
  if (id === '' || attributeOf(element, 'Version') !== '2.0')
    throw new XmlError('its version is not SAML 2.0');
  const issuer = onlyChild(element, 'assertion', 'Issuer');
  if (issuer === undefined || textOf(issuer) !== expected.issuer)
    throw new XmlError('its issuer is not the identity provider');
  const issuedAt = requireIssueTime(element, expected.now);
  const subject = onlyChild(element, 'assertion', 'Subject');
  if (subject === undefined) throw new XmlError('it has no subject');
  const confirmations = childrenOf(subject, 'assertion', 'SubjectConfirmation');
  if (!confirmations.some((confirmation) => isValidConfirmation(confirmation, expected))) {
    throw new XmlError('its subject confirmation has expired, or is for another recipient or request');
  }
  return {
    id,
    nameId: nameIdOf(subject),
    attributes: attributesOf(element),
    sessionNotAfter: sessionEnd(element, expected.now),
    expiresAt: new Date(issuedAt.getTime() + MAX_AGE_MS + 2 * CLOCK_SKEW_MS),
  };
}

function requireIssueTime(element: Element, now: Date): Date {
  const issuedAt = timeOf(attributeOf(element, 'IssueInstant'));
  if (issuedAt === undefined) throw new XmlError('it has no valid IssueInstant');
  const age = now.getTime() - issuedAt.getTime();
  if (age > MAX_AGE_MS + CLOCK_SKEW_MS || age < -CLOCK_SKEW_MS)
    throw new XmlError('its IssueInstant is too far from the current time');
  return issuedAt;
}

/** Whether a bearer confirmation is valid now, for this service and request. */
function isValidConfirmation(confirmation: Element, { recipient, requestId, now }: Expected): boolean {
  const data = onlyChild(confirmation, 'assertion', 'SubjectConfirmationData');
  if (data === undefined || attributeOf(confirmation, 'Method') !== BEARER) return false;
  const end = timeOf(attributeOf(data, 'NotOnOrAfter'));
  return (
    attributeOf(data, 'Recipient') === recipient &&
    attributeOf(data, 'InResponseTo') === requestId &&
    attributeOf(data, 'NotBefore') === undefined &&
    end !== undefined &&
    now.getTime() < end.getTime() + CLOCK_SKEW_MS
  );
}

function nameIdOf(subject: Element): Assertion['nameId'] {
  const nameId = onlyChild(subject, 'assertion', 'NameID');
  return nameId && { value: textOf(nameId), format: attributeOf(nameId, 'Format') };
}

function attributesOf(element: Element): Attribute[] {
  const statements = childrenOf(element, 'assertion', 'AttributeStatement');
  const attributes = statements.flatMap((statement) => childrenOf(statement, 'assertion', 'Attribute'));
  return attributes.map((attribute) => ({
    name: attributeOf(attribute, 'Name') ?? '',
    friendlyName: attributeOf(attribute, 'FriendlyName'),
    values: childrenOf(attribute, 'assertion', 'AttributeValue')
      .map(textOf)
      .filter((value) => value !== ''),
  }));
}

function sessionEnd(element: Element, now: Date): Date | undefined {
  const statements = childrenOf(element, 'assertion', 'AuthnStatement');
  if (statements.length === 0) throw new XmlError('it has no AuthnStatement');
  const texts = statements.map((statement) => attributeOf(statement, 'SessionNotOnOrAfter'));
  const ends = texts.filter((text) => text !== undefined).map((text) => requireTime(text).getTime());
  if (ends.length === 0) return undefined;
  const end = new Date(Math.min(...ends));
  if (end <= now) throw new XmlError('its session has expired');
  return end;
}

function requireTime(text: string): Date {
  const time = timeOf(text);
  if (time === undefined) throw new XmlError('it contains an invalid timestamp');
  return time;
}
