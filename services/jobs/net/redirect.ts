/** Redirects, followed as curl does for pg_net. */
import type { TransportResponse } from './transport.ts';

/** A request on its way. */
export interface CurrentRequest {
  method: string;
  url: URL;
  headers: readonly [string, string][];
  body: Uint8Array | null;
}

const STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers that another origin must not receive. */
const CREDENTIALS = new Set(['apikey', 'authorization', 'cookie', 'host', 'proxy-authorization']);

/** Whether a response is a redirect. */
export function isRedirect({ status }: Pick<TransportResponse, 'status'>): boolean {
  return STATUSES.has(status);
}

/** Returns the next request; undefined if the response names no location that can be requested. */
export function afterRedirect(
  request: CurrentRequest,
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
): CurrentRequest | undefined {
  const location = headerOf(headers, 'location');
  const url = location === undefined ? null : URL.parse(location, request.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const kept = url.origin === request.url.origin ? request.headers : withoutCredentials(request.headers);
  const keepsBody = status === 307 || status === 308;
  if (keepsBody) return { ...request, url, headers: kept };
  return {
    method: request.method === 'POST' ? 'GET' : request.method,
    url,
    headers: kept.filter(([name]) => name.toLowerCase() !== 'content-type'),
    body: null,
  };
}

/** Returns the value of a header in a list of names and values. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) return headers[index + 1];
  }
  return undefined;
}

function withoutCredentials(headers: CurrentRequest['headers']): [string, string][] {
  return headers.filter(([name]) => !CREDENTIALS.has(name.toLowerCase()));
}
