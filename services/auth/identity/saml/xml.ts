/**
 * Strict XML parsing for SAML: no document types and thus no entities, no recovery from errors, and limits that
 * keep the cost of later steps proportional to the length.
 */
import { DOMParser } from '@xmldom/xmldom';

/** Namespaces of SAML 2.0 and its foundations. */
export const NAMESPACES = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const;

type Namespace = keyof typeof NAMESPACES;

/** Limits on what makes XML expensive regardless of its length. */
interface XmlLimits {
  elements: number;
  /** In the whole document. */
  attributes: number;
  namespaces: number;
}

/**
 * For documents from any client. Finding and hashing the signed part takes 0.1 ms per element and blocks the
 * event loop. A response with 500 groups has about 550 elements.
 */
export const UNTRUSTED_LIMITS: XmlLimits = { elements: 800, attributes: 2000, namespaces: 800 };
/** For documents from admins. */
export const ADMIN_LIMITS: XmlLimits = { elements: 20_000, attributes: 40_000, namespaces: 5000 };

/** Typical documents have ten levels. */
const MAX_DEPTH = 40;
const MAX_ATTRIBUTES_OF_ONE = 100;

/** A text that is not accepted as XML. The message is shown to users. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Parses a document. Throws {@link XmlError}. */
export function parseXml(text: string, limits: XmlLimits): Element {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new XmlError('it contains a document type');
  requireAtMost(2 * limits.elements, text, /</g, 'elements');
  requireAtMost(limits.attributes, text, /=/g, 'attributes');
  requireAtMost(limits.namespaces, text, /xmlns/g, 'namespaces');
  const root = parse(text).documentElement;
  if (root === null) throw new XmlError('it has no element');
  requireWithinLimits(root, limits);
  return root;
}

/** Checks the text before it reaches the parser. */
function requireAtMost(max: number, text: string, sign: RegExp, subject: string): void {
  if ((text.match(sign)?.length ?? 0) > max) throw new XmlError(`it has too many ${subject}`);
}

function requireWithinLimits(root: Element, { elements }: XmlLimits): void {
  let count = 0;
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (depth >= MAX_DEPTH) throw new XmlError('it is nested too deeply');
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

// Rejects at the first warning; the parser would continue with a guess.
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

/** Whether an element has this namespace and name. */
export function isElement(element: Element, namespace: Namespace, name: string): boolean {
  return element.namespaceURI === NAMESPACES[namespace] && element.localName === name;
}

/** Returns the child elements with this name. */
export function childrenOf(parent: Element, namespace: Namespace, name: string): Element[] {
  return elementsIn(parent).filter((child) => isElement(child, namespace, name));
}

/** Returns the only child with this name; undefined if there are none or several. */
export function onlyChild(parent: Element, namespace: Namespace, name: string): Element | undefined {
  const found = childrenOf(parent, namespace, name);
  return found.length === 1 ? found[0] : undefined;
}

/** Returns all descendants with this name. */
export function descendantsOf(parent: Element, namespace: Namespace, name: string): Element[] {
  return Array.from(parent.getElementsByTagNameNS(NAMESPACES[namespace], name));
}

export function attributeOf(element: Element, name: string): string | undefined {
  return element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;
}

/** Returns the trimmed text of an element. Throws {@link XmlError} if PostgreSQL cannot store it. */
export function textOf(element: Element): string {
  const text = element.textContent ?? '';
  if (text.includes('\0') || !text.isWellFormed()) throw new XmlError('it contains invalid text');
  return text.trim();
}

/** Parses an XML Schema time with a time zone; undefined if it is invalid. */
export function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) {
    return undefined;
  }
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
