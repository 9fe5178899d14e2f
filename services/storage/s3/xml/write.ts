/** XML of answers: elements only, everything escaped. */

/** What an element holds. Undefined leaves it out; a list repeats it. */
type XmlValue = string | number | boolean | Date | undefined | XmlFields | readonly XmlValue[];

/** Elements by name, in their order. */
export interface XmlFields {
  readonly [name: string]: XmlValue;
}

/** Namespace of S3's answers. */
const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader would turn it into a line feed.
  '\r': '&#xD;',
};
/** What XML 1.0 cannot say at all, not even escaped (§2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** A document of one element. */
export function xmlDocument(name: string, content: XmlFields | string): string {
  return `${DECLARATION}<${name} xmlns="${S3_NAMESPACE}">${contentOf(content)}</${name}>`;
}

/** An error. Like those of S3 it is in no namespace: some clients do not find its code otherwise. */
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

/** Text as the content of an element. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => ESCAPES[character] ?? '').replace(NO_XML, '\ufffd');
}
