/**
 * Builds the canonical request, the text that signatures cover.
 *
 *     CanonicalRequest = Method LF URI LF Query LF Headers LF SignedHeaders LF PayloadHash
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { encodeStrictly, type QueryPairs } from './query.ts';
import type { Headers, SentSignature } from './sent-signature.ts';

/** A request as received. */
export interface SignedRequest {
  method: string;
  /** Percent-encoded path without the query. */
  path: string;
  query: QueryPairs;
  headers: Headers;
}

/**
 * Builds the canonical request. `host` and `path` are those that the client used.
 *
 * @param query from {@link canonicalQuery}, which is the same for each host and path
 */
export function canonicalRequest(
  { method, query, headers }: Pick<SignedRequest, 'method' | 'headers'> & { query: string },
  { signedHeaders, payloadHash }: Pick<SentSignature, 'signedHeaders' | 'payloadHash'>,
  { host, path }: { host: string; path: string },
): string {
  const sentValue = (name: string) => (name === 'host' ? host : headerValue(headers[name]));
  return [
    method,
    path,
    query,
    ...signedHeaders.map((name) => `${name}:${sentValue(name)}`),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

/** Formats all parameters except the signature, sorted by encoded name and value. */
export function canonicalQuery(query: QueryPairs): string {
  return query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function headerValue(values: readonly string[] = []): string {
  return values.map((value) => value.trim().replace(/ +/g, ' ')).join(',');
}
