/** Random requests to the data API. */
import fc from 'fast-check';
import { bodiesFor } from './bodies.ts';
import { authorizations, type FuzzHeader, otherHeaders } from './headers.ts';
import { KNOWN, type Known } from './known.ts';
import { type RawRequest, requestBytes } from './raw-http.ts';
import { oddPaths, queryStrings } from './targets.ts';

const METHODS = 'GET GET GET GET HEAD POST POST POST PATCH PATCH PUT DELETE OPTIONS'.split(' ');
const METHODS_OF_FUNCTIONS = 'GET GET HEAD POST POST POST POST OPTIONS PATCH'.split(' ');
const ODD_METHODS = 'TRACE PROPFIND SEARCH QUERY LINK M-SEARCH PURGE'.split(' ');
const WITH_BODY = new Set(['POST', 'PATCH', 'PUT']);

/** A valid HTTP request, a request that the client aborts, or bytes that may not be a request. */
export type FuzzRequest =
  | { kind: 'request'; request: RawRequest }
  | { kind: 'abandoned'; request: RawRequest; afterMs: number }
  | { kind: 'bytes'; bytes: Buffer };

/** Requests below `prefix` by people with these tokens. */
export function fuzzRequests(prefix: string, tokens: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const byTarget = new Map<string, fc.Arbitrary<RawRequest>>();
  const toKnown = (known: Known) => {
    const key = `${known.schema} ${known.path}`;
    const made = byTarget.get(key) ?? requestsTo(known, fc.constant(known.path), prefix, tokens);
    byTarget.set(key, made);
    return made;
  };
  const nowhere: Known = { schema: 'studio', path: '', columns: ['id'] };
  const request = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...KNOWN).chain(toKnown) },
    requestsTo(nowhere, oddPaths, prefix, tokens),
  );
  const spoilt = fc
    .tuple(request, fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 4 }))
    .map(([whole, at, length, put]) => cut(requestBytes(whole), at, length, put));
  const abandoned = fc.record({ kind: fc.constant('abandoned' as const), request, afterMs: fc.nat(10) });
  return fc.oneof(
    { weight: 18, arbitrary: request.map((whole): FuzzRequest => ({ kind: 'request', request: whole })) },
    abandoned,
    spoilt.map((bytes): FuzzRequest => ({ kind: 'bytes', bytes })),
  );
}

function requestsTo(
  { schema, path: known, columns }: Known,
  path: fc.Arbitrary<string>,
  prefix: string,
  tokens: readonly string[],
): fc.Arbitrary<RawRequest> {
  const usual = known.startsWith('/rpc/') ? METHODS_OF_FUNCTIONS : METHODS;
  return fc
    .record({
      method: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...ODD_METHODS)),
      path,
      query: fc.option(queryStrings(known === '/films'), { freq: 4, nil: undefined }),
      // A target may have an origin (RFC 9112 §3.2.2).
      origin: fc.oneof(
        { weight: 40, arbitrary: fc.constant('') },
        fc.constantFrom('http://localhost', 'HTTPS://a:1'),
      ),
      who: authorizations(tokens),
      others: otherHeaders,
      body: bodiesFor(columns),
      isOtherwise: rarely,
      isElsewhere: rarely,
      framing: fc.constantFrom(
        'length' as const,
        'length' as const,
        'length' as const,
        'chunked' as const,
        'expect' as const,
      ),
    })
    .map(({ method, path, query, origin, who, others, body, isOtherwise, isElsewhere, framing }) => {
      // Now and then, a body where none belongs, or none where one does.
      const hasBody = WITH_BODY.has(method) !== isOtherwise;
      const profile: FuzzHeader[] = [
        ['accept-profile', schema],
        ['content-profile', schema],
      ];
      const type: FuzzHeader[] = hasBody ? [['content-type', body.contentType]] : [];
      return {
        method,
        target: origin + prefix + path + (query === undefined ? '' : `?${query}`),
        headers: [...others, ...who, ...(isElsewhere ? [] : [...profile, ...type])],
        body: hasBody ? body.bytes : undefined,
        framing,
      };
    });
}

const rarely = fc.nat(15).map((number) => number === 0);

/** Most places are in the head. */
function cut(bytes: Buffer, at: number, length: number, put: Uint8Array): Buffer {
  const start = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + length)]);
}
