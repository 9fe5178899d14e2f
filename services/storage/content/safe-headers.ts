/**
 * Response headers that prevent uploaded content from running as our origin. Users who may upload must not be able to
 * run a script on the origin that people are signed in to.
 */

const UNKNOWN_TYPE = 'application/octet-stream';
/**
 * `token "/" token *( OWS ";" OWS parameter )`, RFC 9110 section 8.3.1, without commas, at which browsers might split a
 * list.
 */
const MEDIA_TYPE =
  /^(?<type>[\w!#$&^.+-]+\/[\w!#$&^.+-]+)(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^",]*"))*(?:\s*;)?$/;
/**
 * Types that browsers display but never execute. They get no sandbox, because browsers' document viewers do not work in
 * one.
 */
const INERT =
  /^(?:(?:image\/(?!svg)|audio\/|video\/|font\/)[^+]*|text\/(?:plain|csv)|application\/(?:json|pdf|zip|gzip|octet-stream))$/;
/** Loads nothing, runs no scripts and has an opaque origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** Characters that Node.js accepts in a header value, restricted to ASCII. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** Returns the content type and protective headers. HTML is served as plain text, as in the hosted service. */
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

/**
 * Returns a stored value that is safe as a header value; undefined if it is not, e.g. because a line break would start
 * another header.
 */
export function safeValue(value: string | undefined): string | undefined {
  return value !== undefined && HEADER_VALUE.test(value) ? value : undefined;
}
