/** Signature examples published by AWS, for tests: same keys, same day, known results. */
import type { Headers } from './sent-signature.ts';

/** Key of all examples. */
export const EXAMPLE_KEY = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
/** Time of the signatures. */
export const EXAMPLE_TIME = Date.parse('2013-05-24T00:00:00Z');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const CREDENTIAL = `${EXAMPLE_KEY.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
const HOST = 'examplebucket.s3.amazonaws.com';

/** A signed request. */
export interface ExampleRequest {
  method: string;
  path: string;
  query: string;
  headers: Headers;
}

/** Formats the header Authorization. */
export function authorization(signedHeaders: string, signature: string): string {
  return `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${signedHeaders},Signature=${signature}`;
}

function request(
  method: string,
  target: string,
  headers: Record<string, string>,
  signature: string,
): ExampleRequest {
  const all: Record<string, string> = {
    host: HOST,
    'x-amz-content-sha256': EMPTY,
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const signedHeaders = Object.keys(all).toSorted().join(';');
  const [path = '', query = ''] = target.split('?');
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(
      Object.entries({ ...all, authorization: authorization(signedHeaders, signature) }).map(
        ([name, value]) => [name, [value]],
      ),
    ),
  };
}

/** Headers of the examples with chunked content. */
const CHUNKED = {
  host: 's3.amazonaws.com',
  'content-encoding': 'aws-chunked',
  'x-amz-decoded-content-length': '66560',
  'x-amz-storage-class': 'REDUCED_REDUNDANCY',
};

/** Examples by description. */
export const EXAMPLE_REQUESTS = {
  'GET of a range': request(
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ),
  'PUT of an object': request(
    'PUT',
    '/test%24file.text',
    {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ),
  'GET of a sub-resource': request(
    'GET',
    '/?lifecycle',
    {},
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ),
  'GET of a list': request(
    'GET',
    '/?max-keys=2&prefix=J',
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ),
  'PUT in chunks': request(
    'PUT',
    '/examplebucket/chunkObject.txt',
    {
      ...CHUNKED,
      'content-length': '66824',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    },
    '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
  ),
  'PUT in chunks with a trailer': request(
    'PUT',
    '/examplebucket/chunkObject.txt',
    {
      ...CHUNKED,
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      'x-amz-trailer': 'x-amz-checksum-crc32c',
    },
    '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
  ),
};

/** A presigned GET, valid for a day. */
export const EXAMPLE_PRESIGNED: ExampleRequest = {
  method: 'GET',
  path: '/test.txt',
  query:
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: [HOST] },
};

/** Bodies of the chunked examples: 65 KiB of the letter a. */
export const EXAMPLE_CHUNKED_BODIES = {
  'PUT in chunks': chunked([
    'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
    'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
  ]),
  'PUT in chunks with a trailer': chunked(
    [
      'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
      '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
      '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
    ],
    'x-amz-checksum-crc32c:sOO8/Q==\r\n' +
      'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n',
  ),
};

function chunked([first, second, last]: [string, string, string], trailers = ''): string {
  const chunk = (size: number, signature: string) =>
    `${size.toString(16)};chunk-signature=${signature}\r\n${'a'.repeat(size)}\r\n`;
  return `${chunk(65_536, first)}${chunk(1024, second)}0;chunk-signature=${last}\r\n${trailers}\r\n`;
}

export const EXAMPLE_POLICY = {
  encoded:
    'eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9',
  signature: '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e',
  day: '20151229',
  expiresAt: Date.parse('2015-12-30T12:00:00Z'),
};
