/** Random requests to the data API. */
import fc from 'fast-check';
import { bodiesFor } from './bodies.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { authorizations, type FuzzHeader, otherHeaders } from './headers.ts';
import { type RawRequest, requestBytes } from './raw-http.ts';
import { queryStrings, unusualPaths } from './targets.ts';

const METHODS = 'GET GET GET GET HEAD POST POST POST PATCH PATCH PUT DELETE OPTIONS'.split(' ');
const METHODS_OF_FUNCTIONS = 'GET GET HEAD POST POST POST POST OPTIONS PATCH'.split(' ');
const UNSUPPORTED_METHODS = 'TRACE PROPFIND SEARCH QUERY LINK M-SEARCH PURGE'.split(' ');
const WITH_BODY = new Set(['POST', 'PATCH', 'PUT']);

/** A valid HTTP request, a request that the client aborts, or bytes that may not be a request. */
export type FuzzRequest =
  | { kind: 'request'; request: RawRequest }
  | { kind: 'abandoned'; request: RawRequest; afterMs: number }
  | { kind: 'bytes'; bytes: Buffer };

/** Requests below `prefix` by people with these tokens. */
export function fuzzRequests(prefix: string, tokens: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const byTarget = new Map<string, fc.Arbitrary<RawRequest>>();
  const toEndpoint = (endpoint: Endpoint) => {
    const key = `${endpoint.schema} ${endpoint.path}`;
    const requests = byTarget.get(key) ?? requestsTo(endpoint, fc.constant(endpoint.path), prefix, tokens);
    byTarget.set(key, requests);
    return requests;
  };
  const unknownEndpoint: Endpoint = { schema: 'studio', path: '', columns: ['id'] };
  const request = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...ENDPOINTS).chain(toEndpoint) },
    requestsTo(unknownEndpoint, unusualPaths, prefix, tokens),
  );
  const corrupted = fc
    .tuple(request, fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 4 }))
    .map(([drawn, at, length, put]) => cut(requestBytes(drawn), at, length, put));
  const abandoned = fc.record({ kind: fc.constant('abandoned' as const), request, afterMs: fc.nat(10) });
  return fc.oneof(
    { weight: 18, arbitrary: request.map((drawn): FuzzRequest => ({ kind: 'request', request: drawn })) },
    abandoned,
    corrupted.map((bytes): FuzzRequest => ({ kind: 'bytes', bytes })),
  );
}

function requestsTo(
  { schema, path: endpointPath, columns }: Endpoint,
  path: fc.Arbitrary<string>,
  prefix: string,
  tokens: readonly string[],
): fc.Arbitrary<RawRequest> {
  const methods = endpointPath.startsWith('/rpc/') ? METHODS_OF_FUNCTIONS : METHODS;
  return fc
    .record({
      method: fc.oneof(
        { weight: 40, arbitrary: fc.constantFrom(...methods) },
        fc.constantFrom(...UNSUPPORTED_METHODS),
      ),
      path,
      query: fc.option(queryStrings(endpointPath === '/films'), { freq: 4, nil: undefined }),
      // A target may have an origin (RFC 9112 §3.2.2).
      origin: fc.oneof(
        { weight: 40, arbitrary: fc.constant('') },
        fc.constantFrom('http://localhost', 'HTTPS://a:1'),
      ),
      authorization: authorizations(tokens),
      others: otherHeaders,
      body: bodiesFor(columns),
      hasUnexpectedBody: rarely,
      omitsHeaders: rarely,
      framing: fc.constantFrom(
        'length' as const,
        'length' as const,
        'length' as const,
        'chunked' as const,
        'expect' as const,
      ),
    })
    .map(
      ({
        method,
        path,
        query,
        origin,
        authorization,
        others,
        body,
        hasUnexpectedBody,
        omitsHeaders,
        framing,
      }) => {
        // Now and then, a body where none belongs, or none where one does.
        const hasBody = WITH_BODY.has(method) !== hasUnexpectedBody;
        const profile: FuzzHeader[] = [
          ['accept-profile', schema],
          ['content-profile', schema],
        ];
        const type: FuzzHeader[] = hasBody ? [['content-type', body.contentType]] : [];
        return {
          method,
          target: origin + prefix + path + (query === undefined ? '' : `?${query}`),
          headers: [...others, ...authorization, ...(omitsHeaders ? [] : [...profile, ...type])],
          body: hasBody ? body.bytes : undefined,
          framing,
        };
      },
    );
}

const rarely = fc.nat(15).map((number) => number === 0);

/** Most places are in the head. */
function cut(bytes: Buffer, at: number, length: number, put: Uint8Array): Buffer {
  const start = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + length)]);
}
