/**
 * Headers that keep uploaded content from running as our origin. Whoever may upload must not be able to have a script
 * run on the address that people are signed in at.
 */

const UNKNOWN_TYPE = 'application/octet-stream';
/** token "/" token *( OWS ";" OWS parameter ), RFC 9110 section 8.3.1, without what browsers might split a list at. */
const MEDIA_TYPE =
  /^(?<type>[\w!#$&^.+-]+\/[\w!#$&^.+-]+)(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^",]*"))*(?:\s*;)?$/;
/** Shown by browsers, and never run. Their viewers of documents do not work in a sandbox. */
const INERT =
  /^(?:(?:image\/(?!svg)|audio\/|video\/|font\/)[^+]*|text\/(?:plain|csv)|application\/(?:json|pdf|zip|gzip|octet-stream))$/;
/** Nothing is loaded, no script runs, and its origin is none. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** What Node.js takes for the value of a header, less what is not ASCII. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** Type and protection of content. Pages are shown as text, as the hosted service does. */
export function safeHeaders(mimeType: string | undefined): Record<string, string> {
  const stored = safeValue(mimeType?.trim()) || UNKNOWN_TYPE;
  const isPage = stored.toLowerCase().includes('text/html');
  return {
    'content-type': isPage ? 'text/plain' : stored,
    'x-content-type-options': 'nosniff',
    ...((isPage || !isInert(stored)) && { 'content-security-policy': SANDBOX }),
  };
}

function isInert(mimeType: string): boolean {
  const type = MEDIA_TYPE.exec(mimeType)?.groups?.type;
  return type !== undefined && INERT.test(type.toLowerCase());
}

/** A stored value as that of a header; undefined where it cannot be one, e.g. because it would begin another header. */
export function safeValue(value: string | undefined): string | undefined {
  return value !== undefined && HEADER_VALUE.test(value) ? value : undefined;
}
