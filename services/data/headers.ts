/** Validation and encoding of HTTP headers. */

/** One header. A name may occur more than once, so a set of headers is a list of these. */
export type Header = readonly [name: string, value: string];

/** RFC 9110 §5.6.2: token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Control characters: some would end the header line, and none are text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Headers that frame a message. Only the server sets them: contradicting framing headers enable response smuggling. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the reason why the server cannot send a header that a database function set, or undefined if it can. */
export function headerProblem([name, value]: Header): string | undefined {
  if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a valid header name`;
  if (FRAMING.has(name.toLowerCase())) return `only the server may set the header ${name}`;
  if (CONTROL.test(value)) return `the value of the header ${name} contains control characters`;
  return undefined;
}

/** Whether the status is valid for a final response; 1xx statuses are interim. */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** Encodes a text for a header in Node.js, which expects one character for each byte of the UTF-8 encoding. */
export function headerBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** Decodes a received header as UTF-8. Node.js represents each byte of the header as one character. */
export function headerText(value: string): string {
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString() : value;
}
