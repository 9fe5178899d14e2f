/**
 * XML as SAML uses it, read strictly: no document types, so no entities; nothing that a lenient parser would repair; and
 * limits that keep every later step in proportion to the length.
 */
import { DOMParser } from '@xmldom/xmldom';

/** The namespaces of SAML 2.0 and what it builds on. */
export const NAMESPACES = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const;

type Namespace = keyof typeof NAMESPACES;

/** What makes XML costly, whatever its length. */
interface XmlLimits {
  elements: number;
  /** Of the whole document. */
  attributes: number;
  namespaces: number;
}

/**
 * For documents that any client may send: finding and hashing the signed part takes a tenth of a millisecond per element,
 * and nothing else runs meanwhile. A response with 500 groups of its user has about 550 elements.
 */
export const SENT_BY_ANYBODY: XmlLimits = { elements: 800, attributes: 2000, namespaces: 800 };
/** For what admins vouch for. */
export const SENT_BY_ADMINS: XmlLimits = { elements: 20_000, attributes: 40_000, namespaces: 5000 };

/** Ten levels are usual. */
const MAX_DEPTH = 40;
const MAX_ATTRIBUTES_OF_ONE = 100;

/** A text that is not XML, or not such as is taken. The message is for people. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Parses a document. Throws {@link XmlError}. */
export function parseXml(text: string, limits: XmlLimits): Element {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new XmlError('it has a document type');
  requireAtMost(2 * limits.elements, text, /</g, 'elements');
  requireAtMost(limits.attributes, text, /=/g, 'attributes');
  requireAtMost(limits.namespaces, text, /xmlns/g, 'namespaces');
  const root = parse(text).documentElement;
  if (root === null) throw new XmlError('it has no element');
  requireModest(root, limits);
  return root;
}

/** Before the parser has to do with it. */
function requireAtMost(most: number, text: string, sign: RegExp, what: string): void {
  if ((text.match(sign)?.length ?? 0) > most) throw new XmlError(`it has too many ${what}`);
}

function requireModest(root: Element, { elements }: XmlLimits): void {
  let count = 0;
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (depth >= MAX_DEPTH) throw new XmlError('it nests too deeply');
    if (count > elements) throw new XmlError('it has too many elements');
    if (level.some(({ attributes }) => attributes.length > MAX_ATTRIBUTES_OF_ONE)) {
      throw new XmlError('it has too many attributes');
    }
    level = level.flatMap(elementsIn);
  }
}

function elementsIn(parent: Element): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === 1) found.push(node as Element);
  }
  return found;
}

// Stops at the first thing that is odd: the parser itself would go on and guess.
function parse(text: string): Document {
  const stop = () => {
    throw new XmlError('it is not well-formed');
  };
  try {
    const errorHandler = { warning: stop, error: stop, fatalError: stop };
    return new DOMParser({ errorHandler }).parseFromString(text, 'text/xml') ?? stop();
  } catch {
    throw new XmlError('it is not well-formed');
  }
}

/** Whether an element has this name. */
export function isElement(element: Element, namespace: Namespace, name: string): boolean {
  return element.namespaceURI === NAMESPACES[namespace] && element.localName === name;
}

/** The children of this name. */
export function childrenOf(parent: Element, namespace: Namespace, name: string): Element[] {
  return elementsIn(parent).filter((child) => isElement(child, namespace, name));
}

/** The only child of this name; undefined where there is none or more than one. */
export function onlyChild(parent: Element, namespace: Namespace, name: string): Element | undefined {
  const found = childrenOf(parent, namespace, name);
  return found.length === 1 ? found[0] : undefined;
}

/** All elements of this name, at any depth. */
export function descendantsOf(parent: Element, namespace: Namespace, name: string): Element[] {
  return Array.from(parent.getElementsByTagNameNS(NAMESPACES[namespace], name));
}

/** An attribute, or undefined. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;
}

/** The text of an element, without blanks around it. Throws {@link XmlError} where PostgreSQL could not store it. */
export function textOf(element: Element): string {
  const text = element.textContent ?? '';
  if (text.includes('\0') || !text.isWellFormed()) throw new XmlError('it has text that is none');
  return text.trim();
}

/** A time of XML Schema, with its zone; undefined where it is none. */
export function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) {
    return undefined;
  }
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
