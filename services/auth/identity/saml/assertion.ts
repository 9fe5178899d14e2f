/**
 * What an identity provider has said of somebody, read from an assertion whose signature was checked. In charge of what
 * SAML 2.0 Profiles §4.1.4 asks of it: that it is from whom we think, for us, about our request, and of now.
 */
import { attributeOf, childrenOf, isElement, onlyChild, textOf, timeOf, XmlError } from './xml.ts';

/** How far clocks may be apart, in milliseconds. */
export const CLOCK_SKEW_MS = 180_000;
/** How old an assertion may be, in milliseconds: a browser carries it here at once. */
export const MAX_AGE_MS = 300_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** An attribute of somebody. */
export interface Attribute {
  name: string;
  friendlyName: string | undefined;
  values: string[];
}

/** What was said. */
export interface Assertion {
  id: string;
  nameId: { value: string; format: string | undefined } | undefined;
  attributes: Attribute[];
  /** When the identity provider wants the session to be over. */
  sessionNotAfter: Date | undefined;
  /** From when on nobody takes it any more. */
  expiresAt: Date;
}

/** What an assertion must be. */
interface Expected {
  /** Entity id of the identity provider. */
  issuer: string;
  /** Where assertions are to be sent. */
  recipient: string;
  /** Undefined where the identity provider has begun. */
  requestId: string | undefined;
  now: Date;
}

/** Reads an assertion. Throws {@link XmlError}. */
export function readAssertion(element: Element, expected: Expected): Assertion {
  if (!isElement(element, 'assertion', 'Assertion')) throw new XmlError('it is no assertion');
  const id = attributeOf(element, 'ID') ?? '';
  if (id === '' || attributeOf(element, 'Version') !== '2.0') throw new XmlError('it is not of SAML 2.0');
  const issuer = onlyChild(element, 'assertion', 'Issuer');
  if (issuer === undefined || textOf(issuer) !== expected.issuer)
    throw new XmlError('it is from somebody else');
  const issuedAt = requireIssueTime(element, expected.now);
  const subject = onlyChild(element, 'assertion', 'Subject');
  if (subject === undefined) throw new XmlError('it is about nobody');
  const confirmations = childrenOf(subject, 'assertion', 'SubjectConfirmation');
  if (!confirmations.some((confirmation) => isConfirmed(confirmation, expected))) {
    throw new XmlError('it is not for us, not about our request, or too old');
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
  if (issuedAt === undefined) throw new XmlError('it does not say when it was made');
  const age = now.getTime() - issuedAt.getTime();
  if (age > MAX_AGE_MS + CLOCK_SKEW_MS || age < -CLOCK_SKEW_MS) throw new XmlError('it is not of now');
  return issuedAt;
}

/** Whoever brings it may use it, here and now. */
function isConfirmed(confirmation: Element, { recipient, requestId, now }: Expected): boolean {
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
  if (statements.length === 0) throw new XmlError('it does not say that anybody has signed in');
  const texts = statements.map((statement) => attributeOf(statement, 'SessionNotOnOrAfter'));
  const ends = texts.filter((text) => text !== undefined).map((text) => requireTime(text).getTime());
  if (ends.length === 0) return undefined;
  const end = new Date(Math.min(...ends));
  if (end <= now) throw new XmlError('the session is over');
  return end;
}

function requireTime(text: string): Date {
  const time = timeOf(text);
  if (time === undefined) throw new XmlError('it has a time that is none');
  return time;
}
