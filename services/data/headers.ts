/** Headers as a list of names and values, and their text. */

/** One header. A name may be there more than once, so headers are a list. */
export type Header = readonly [name: string, value: string];

/** RFC 9110 §5.6.2: token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What would end the line, or is no text at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** How a message is framed is the server's business; said twice, it lets answers be mixed up. */
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

/** Why a header that a function wants to set cannot be sent; undefined where it can. */
export function headerProblem([name, value]: Header): string | undefined {
  if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not the name of a header`;
  if (FRAMING.has(name.toLowerCase())) return `the header ${name} is set by the server alone`;
  if (CONTROL.test(value)) return `the value of the header ${name} has control characters`;
  return undefined;
}

/** Whether HTTP lets an answer end with this status. */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** A text as Node.js wants it in a header: one character for each byte of its UTF-8. */
export function headerBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** A header that came in, as text: its bytes are UTF-8, of which Node.js makes one character each. */
export function headerText(value: string): string {
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString() : value;
}
