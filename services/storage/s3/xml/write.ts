/** Formats XML responses: elements only, with escaped text. */

/** Content of an element. Undefined omits the element; a list repeats it. */
type XmlValue = string | number | boolean | Date | undefined | XmlFields | readonly XmlValue[];

/** Elements by name, in order. */
export interface XmlFields {
  readonly [name: string]: XmlValue;
}

/** Namespace of S3 responses. */
const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // An XML parser would normalise it to a line feed.
  '\r': '&#xD;',
};
/** Characters that XML 1.0 cannot represent, not even escaped (§2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const INVALID_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Formats a document. */
export function xmlDocument(name: string, content: XmlFields | string): string {
  return `${DECLARATION}<${name} xmlns="${S3_NAMESPACE}">${contentOf(content)}</${name}>`;
}

/** Formats an error. Like errors of S3 it has no namespace; otherwise some clients do not find its code. */
export function xmlError(content: XmlFields): string {
  return `${DECLARATION}<Error>${contentOf(content)}</Error>`;
}

function contentOf(value: Exclude<XmlValue, undefined>): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return escapeXml(String(value));
  return Object.entries(value)
    .map(([name, field]) => elements(name, field))
    .join('');
}

function elements(name: string, value: XmlValue): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((one: XmlValue) => elements(name, one)).join('');
  return `<${name}>${contentOf(value as Exclude<XmlValue, undefined>)}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => ESCAPES[character] ?? '').replace(INVALID_XML, '\ufffd');
}
