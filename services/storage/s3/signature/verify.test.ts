import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  authorization,
  EXAMPLE_KEY,
  EXAMPLE_POLICY,
  EXAMPLE_PRESIGNED,
  EXAMPLE_REQUESTS,
  EXAMPLE_TIME,
  type ExampleRequest,
} from './examples.ts';
import { parseQuery } from './query.ts';
import { readSignature, type SentSignature } from './sent-signature.ts';
import {
  isSignedWith,
  requireSignedHeaders,
  requireValidScope,
  signaturesEqual,
  signingKey,
  signText,
} from './verify.ts';

const RULES = { region: 'us-east-1', enforcesRegion: false };
const MINUTE = 60_000;

function read({ headers, query }: ExampleRequest): SentSignature {
  const signature = readSignature(headers, parseQuery(query));
  if (signature === undefined) throw new Error('it has no signature');
  return signature;
}

function isValid(request: ExampleRequest, address = {}, secret = EXAMPLE_KEY.secretAccessKey): boolean {
  const { method, path, query, headers } = request;
  return isSignedWith(secret, read(request), { method, path, query: parseQuery(query), headers }, [
    { host: headers.host?.[0] ?? '', pathPrefix: '', ...address },
  ]);
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof CatalogueError) return error.code;
    throw error;
  }
  return 'none';
}

describe('a signature', () => {
  it.each([...Object.entries(EXAMPLE_REQUESTS), ['presigned GET', EXAMPLE_PRESIGNED] as const])(
    "matches AWS's example: %s",
    (_name, request) => {
      expect(isValid(request)).toBe(true);
      expect(isValid(request, {}, 'another secret')).toBe(false);
      expect(isValid(request, { host: 'elsewhere.example' })).toBe(false);
    },
  );

  const list = EXAMPLE_REQUESTS['GET of a list'];
  const put = EXAMPLE_REQUESTS['PUT of an object'];
  it.each<[string, ExampleRequest]>([
    ['method', { ...list, method: 'HEAD' }],
    ['path', { ...list, path: '/other' }],
    ['value of a parameter', { ...list, query: 'max-keys=3&prefix=J' }],
    ['number of parameters (one more)', { ...list, query: 'max-keys=2&prefix=J&delimiter=/' }],
    ['number of parameters (one fewer)', { ...list, query: 'max-keys=2' }],
    ['header', { ...put, headers: { ...put.headers, 'x-amz-storage-class': ['STANDARD'] } }],
    ['hash', { ...put, headers: { ...put.headers, 'x-amz-content-sha256': ['0'.repeat(64)] } }],
  ])('does not match another %s', (_name, request) => {
    expect(isValid(request)).toBe(false);
  });

  it('does not depend on the order of parameters or on spaces around and within values', () => {
    expect(isValid({ ...list, query: 'prefix=J&max-keys=2' })).toBe(true);
    const headers = { ...put.headers, date: ['  Fri,  24 May   2013 00:00:00 GMT '] };
    expect(isValid({ ...put, headers })).toBe(true);
  });

  it('matches if a proxy has removed a path prefix or the client encodes less than AWS', () => {
    const { path } = put;
    expect(isValid({ ...put, path: path.slice(5) }, { pathPrefix: path.slice(0, 5) })).toBe(true);
    expect(isValid({ ...put, path: '/test$file.text' })).toBe(true);
    expect(isValid({ ...put, path: '/test%zz' })).toBe(false);
  });

  it('of a form covers its policy', () => {
    const credential = {
      accessKeyId: EXAMPLE_KEY.accessKeyId,
      day: EXAMPLE_POLICY.day,
      region: 'us-east-1',
      service: 's3',
    };
    const key = signingKey(EXAMPLE_KEY.secretAccessKey, credential);
    expect(signText(key, EXAMPLE_POLICY.encoded)).toBe(EXAMPLE_POLICY.signature);
  });

  it.each([
    ['', '', true],
    ['ab', 'ab', true],
    ['ab', 'ac', false],
    ['ab', 'abc', false],
    ['ä', 'ab', false],
  ])('comparing %j and %j returns %s', (one, other, same) => {
    expect(signaturesEqual(one, other)).toBe(same);
  });
});

describe('time and scope', () => {
  const byHeader = read(EXAMPLE_REQUESTS['GET of a list']);
  const presigned = read(EXAMPLE_PRESIGNED);
  const scoped = (credential: Partial<SentSignature['credential']>): SentSignature => ({
    ...byHeader,
    credential: { ...byHeader.credential, ...credential },
  });

  it.each<[string, SentSignature, number, string]>([
    ['the current time', byHeader, 0, 'none'],
    ['a request 14 minutes ago', byHeader, 14 * MINUTE, 'none'],
    ['a request 14 minutes ahead', byHeader, -14 * MINUTE, 'none'],
    ['a request 16 minutes ago', byHeader, 16 * MINUTE, 'RequestTimeTooSkewed'],
    ['a request 16 minutes ahead', byHeader, -16 * MINUTE, 'RequestTimeTooSkewed'],
    ['a URL in its last second', presigned, 86_400_000, 'none'],
    ['a URL after its expiry', presigned, 86_400_001, 'ExpiredToken'],
    ['a URL 16 minutes before its time', presigned, -16 * MINUTE, 'RequestTimeTooSkewed'],
  ])('of %s has the result: $3', (_name, signature, delayMs, code) => {
    expect(codeOf(() => requireValidScope(signature, RULES, EXAMPLE_TIME + delayMs))).toBe(code);
  });

  it.each<[string, SentSignature, typeof RULES, string]>([
    [
      'the region of the service',
      scoped({ region: 'here' }),
      { region: 'here', enforcesRegion: true },
      'none',
    ],
    ['us-east-1', byHeader, { region: 'here', enforcesRegion: false }, 'none'],
    ['the region auto', scoped({ region: 'auto' }), RULES, 'none'],
    ['an empty region', scoped({ region: '' }), RULES, 'none'],
    [
      'us-east-1 if the region is enforced',
      byHeader,
      { region: 'here', enforcesRegion: true },
      'SignatureDoesNotMatch',
    ],
    ['another region', scoped({ region: 'there' }), RULES, 'SignatureDoesNotMatch'],
    ['another service', scoped({ service: 'ec2' }), RULES, 'SignatureDoesNotMatch'],
    ['another day', scoped({ day: '20130523' }), RULES, 'SignatureDoesNotMatch'],
  ])('of %s has the result: $3', (_name, signature, rules, code) => {
    expect(codeOf(() => requireValidScope(signature, rules, EXAMPLE_TIME))).toBe(code);
  });
});

describe('unsigned headers', () => {
  it.each([
    [{}, 'none'],
    [{ 'x-amz-user-agent': ['aws-sdk-js'], 'x-other': ['1'] }, 'none'],
    [{ 'x-amz-copy-source': ['private/secret'] }, 'HeadersNotSigned'],
    [{ 'x-amz-meta-name': ['1'] }, 'HeadersNotSigned'],
  ])('%j have the result: %s', (more, code) => {
    const { method, path, query } = EXAMPLE_PRESIGNED;
    const headers = { ...EXAMPLE_PRESIGNED.headers, ...more };
    const request = { method, path, query: parseQuery(query), headers };
    expect(codeOf(() => requireSignedHeaders(read(EXAMPLE_PRESIGNED), request))).toBe(code);
  });
});

describe('a malformed signature', () => {
  const good = EXAMPLE_REQUESTS['GET of a list'].headers;
  const hex = 'a'.repeat(64);
  it.each<[string, string]>([
    ['missing fields', 'AWS4-HMAC-SHA256 '],
    ['a missing signature', authorization('host', '')],
    ['a short signature', authorization('host', 'abc')],
    ['an unsigned host', authorization('range', hex)],
    ['a missing terminator', authorization('host', hex).replace('/aws4_request', '')],
    ['a missing access key', authorization('host', hex).replace('AKIAIOSFODNN7EXAMPLE', '')],
    ['a day that is not a date', authorization('host', hex).replace('20130524', 'today')],
  ])('is rejected with %s', (_name, value) => {
    expect(codeOf(() => readSignature({ ...good, authorization: [value] }, []))).toBe('InvalidSignature');
  });

  it.each([
    ['a missing date', { 'x-amz-date': undefined }],
    ['a date in another format', { 'x-amz-date': ['2013-05-24'] }],
    ['a day that does not exist', { 'x-amz-date': ['20131324T000000Z'] }],
    ['a missing hash', { 'x-amz-content-sha256': undefined }],
    ['an unknown hash', { 'x-amz-content-sha256': ['STREAMING-SOMETHING'] }],
  ])('is rejected with %s', (_name, more) => {
    expect(codeOf(() => readSignature({ ...good, ...more }, []))).toBe('InvalidSignature');
  });

  it.each([
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1'],
    ['X-Amz-Credential', 'me'],
    ['X-Amz-Date', 'now'],
    ['X-Amz-Expires', '604801'],
    ['X-Amz-Expires', '-1'],
    ['X-Amz-Expires', '1e3'],
    ['X-Amz-SignedHeaders', 'range'],
    ['X-Amz-Signature', 'x'],
  ])('is rejected with %s=%s in a query', (name, value) => {
    const query = parseQuery(EXAMPLE_PRESIGNED.query).map(
      ([one, before]) => [one, one === name ? value : before] as const,
    );
    expect(codeOf(() => readSignature({}, query))).toBe('InvalidSignature');
  });

  it('of any form is rejected without other errors', () => {
    const fragment = fc.oneof(
      fc.string(),
      fc.constantFrom('host', 'a/20130524/r/s3/aws4_request', 'a'.repeat(64), '='),
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 6 }),
        fc.dictionary(fc.string(), fc.string()),
        (fragments, query) => {
          const value = `AWS4-HMAC-SHA256 Credential=${fragments.join(',SignedHeaders=')}`;
          const sent = [...Object.entries(query), ['X-Amz-Credential', fragments[0] ?? '']] as const;
          for (const headers of [{ ...good, authorization: [value] }, {}]) {
            expect(codeOf(() => readSignature(headers, sent))).toBe('InvalidSignature');
          }
        },
      ),
    );
  });

  it('is undefined for a request without a signature', () => {
    expect(readSignature({ authorization: ['Bearer token'] }, [])).toBeUndefined();
  });

  it.each([
    ['501 signed headers', authorization(`host${';a'.repeat(500)}`, hex)],
    ['a credential that is too long', authorization('host', hex).replace('AKIA', 'A'.repeat(1024))],
    [
      'fields after the eighth',
      `AWS4-HMAC-SHA256 ${'a=b,'.repeat(8)}${authorization('host', hex).slice(17)}`,
    ],
  ])('is rejected with %s', (_name, value) => {
    expect(codeOf(() => readSignature({ ...good, authorization: [value] }, []))).toBe('InvalidSignature');
  });

  it('is rejected with a query of more than 100 parameters', () => {
    expect(parseQuery('a=b&'.repeat(99))).toHaveLength(99);
    expect(codeOf(() => parseQuery('a=b&'.repeat(101)))).toBe('InvalidRequest');
    expect(codeOf(() => parseQuery('&'.repeat(101)))).toBe('InvalidRequest');
  });

  it.each(['%zz', 'a=%ff', '%E0%A4%A'])('is rejected with the query %s', (text) => {
    expect(codeOf(() => parseQuery(text))).toBe('InvalidRequest');
  });
});
