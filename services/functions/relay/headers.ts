/** Headers of requests and responses that a relay changes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Headers that concern one connection only (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers with which the bootstrap receives the URL, the address and the id of a request. */
const INTERNAL = /^x-greenroom-/;

/** Header with the address of the visitor; the text of the client is dropped. */
const ADDRESS_HEADER = 'x-forwarded-for';

/** Where the request was sent, and the path that the function sees. */
interface RelayedRequest {
  request: FastifyRequest;
  /** Path and query that the function sees. */
  path: string;
}

/** Returns the raw header list of the request to the function: names and values in turns. */
export function requestHeaders({ request, path }: RelayedRequest): string[] {
  const { rawHeaders } = request.raw;
  const dropped = connectionOptions(request.headers.connection);
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || dropped.has(lower) || INTERNAL.test(lower) || lower === ADDRESS_HEADER)
      continue;
    headers.push(name, rawHeaders[index + 1] ?? '');
  }
  const origin = `${request.protocol}://${request.host}`;
  if (request.clientAddress !== '') headers.push(ADDRESS_HEADER, request.clientAddress);
  headers.push('x-greenroom-url', `${origin}${path}`);
  headers.push('x-greenroom-address', request.clientAddress);
  headers.push('x-greenroom-request', String(request.id));
  return headers;
}

/** Returns the headers of a function's response that reach the client: names and values in turns. */
export function responseHeaders(rawHeaders: readonly string[], headers: IncomingHttpHeaders): string[] {
  const dropped = connectionOptions(headers.connection);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !dropped.has(lower)) kept.push(name, rawHeaders[index + 1] ?? '');
  }
  return kept;
}

/** Returns the names of further headers that concern one connection only. */
function connectionOptions(connection: string | undefined): ReadonlySet<string> {
  return new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
}

const HTML = /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml)\b/i;

/**
 * Makes markup plain text: functions have the origin of the app, whose cookies and pages a script in it could use.
 * `headers` are names and values in turns; returns them changed.
 */
export function withoutMarkup(headers: readonly string[]): string[] {
  const safe = headers.map((value, index) => {
    const isType = index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'content-type';
    return isType && HTML.test(value) ? 'text/plain; charset=utf-8' : value;
  });
  return [...safe, 'x-content-type-options', 'nosniff'];
}
