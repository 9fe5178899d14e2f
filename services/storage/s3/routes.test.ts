import { createHash, randomBytes } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer, TEST_S3_KEYS } from '../testing/storage-server.ts';
import { clientOf, refusalOf } from './testing/client.ts';
import { type SignedOptions, sendSigned } from './testing/signed-request.ts';

const Bucket = 'wire';
const MINUTE = 60_000;
let server: StorageServer;
let s3: S3Client;

beforeAll(async () => {
  server = await StorageServer.open();
  s3 = clientOf(server);
  await server.run(`insert into storage.buckets (id, name) values ('${Bucket}', '${Bucket}')`);
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

const send = (target: string, options?: SignedOptions) => sendSigned(server, target, options);
const textAt = async (Key: string) =>
  (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

const withHeader = (name: string, value: string): SignedOptions => ({
  tamper: ({ headers }) => ({ headers: { ...headers, [name]: value } }),
});
const withPath = (more: string): SignedOptions => ({ tamper: ({ path }) => ({ path: path + more }) });

describe('a request', () => {
  it.each<[string, SignedOptions, number, string]>([
    ['another secret', { keys: { ...TEST_S3_KEYS, secretAccessKey: 'x' } }, 403, 'SignatureDoesNotMatch'],
    ['an unknown access key', { keys: { ...TEST_S3_KEYS, accessKeyId: 'x' } }, 403, 'InvalidAccessKeyId'],
    ['another region', { region: 'mars-1' }, 403, 'SignatureDoesNotMatch'],
    ['an expired time', { at: Date.now() - 16 * MINUTE }, 403, 'RequestTimeTooSkewed'],
    ['a time in the future', { at: Date.now() + 20 * MINUTE }, 403, 'RequestTimeTooSkewed'],
    ['an unknown hash', { payloadHash: 'STREAMING-OTHER' }, 400, 'InvalidSignature'],
    ['a wrong session token', { headers: { 'x-amz-security-token': 'x.y.z' } }, 403, 'SignatureDoesNotMatch'],
    ['another path', withPath('2'), 403, 'SignatureDoesNotMatch'],
    ['another parameter', withPath('?acl'), 403, 'SignatureDoesNotMatch'],
    ['an unsigned header', withHeader('x-amz-meta-a', '1'), 403, 'HeadersNotSigned'],
    ['another day', withHeader('x-amz-date', '20260101T000000Z'), 403, 'SignatureDoesNotMatch'],
    ['a missing signature', withHeader('authorization', ''), 403, 'AccessDenied'],
    ['too many parameters', withPath(`?${'a=b&'.repeat(200)}`), 400, 'InvalidRequest'],
    ['a bearer token', withHeader('authorization', 'Bearer x'), 403, 'AccessDenied'],
    ['an outdated signature', withHeader('authorization', 'AWS me:x'), 403, 'AccessDenied'],
  ])('with %s is rejected with $3', async (_name, options, status, code) => {
    const response = await send(`GET /${Bucket}`, options);
    expect({ status: response.status, code: response.code }).toEqual({ status, code });
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  });

  it('receives its resource with the error if it is rejected', async () => {
    const { text } = await send(`GET /${Bucket}/a%20%26b/c?x=1`);
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Error>' +
        `<Resource>${Bucket}/a &amp;b/c</Resource><Code>NoSuchKey</Code><Message>Object not found</Message></Error>`,
    );
  });

  it.each([
    ['PUT /wire/keep?acl', 501, 'NotImplemented'],
    ['PUT /wire/keep?tagging', 501, 'NotImplemented'],
    ['DELETE /wire/keep?tagging', 501, 'NotImplemented'],
    ['DELETE /wire?lifecycle', 501, 'NotImplemented'],
    ['PUT /wire?policy', 501, 'NotImplemented'],
    ['POST /wire/keep?restore', 501, 'NotImplemented'],
    ['DELETE /wire/keep?versionId=1', 501, 'NotImplemented'],
    ['POST /wire/keep', 405, 'MethodNotAllowed'],
    ['PUT /', 405, 'MethodNotAllowed'],
    ['GET /wire/%2', 400, undefined],
  ])('%s is rejected with %i', async (target, status, code) => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'keep', Body: 'kept' }));
    expect(await send(target, { body: target.startsWith('P') ? '<x/>' : undefined })).toMatchObject({
      status,
      code,
    });
    expect(await textAt('keep')).toBe('kept');
  });

  it('reads the object itself for an unsupported sub-resource', async () => {
    expect((await send(`GET /${Bucket}?acl`)).text).toContain('<ListBucketResult');
  });

  it('does not block the connection with an unread body', async () => {
    const body = 'x'.repeat(1_000_000);
    for (let time = 0; time < 3; time += 1) {
      expect((await send(`DELETE /${Bucket}/unread`, { body })).status).toBe(204);
      expect((await send(`PUT /none/unread`, { body })).code).toBe('NoSuchBucket');
    }
  });

  it('receives no body for HEAD', async () => {
    expect(await send(`HEAD /${Bucket}/none`)).toMatchObject({ status: 404, text: '' });
  });

  it.each([
    ['<Delete><Object></Object></Delete>', 'MalformedXML'],
    ['<Other/>', 'MalformedXML'],
    ['', 'MalformedXML'],
    [
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Delete><Object><Key>&b;</Key></Object></Delete>',
      'MalformedXML',
    ],
    [`<Delete>${' '.repeat(4 * 1024 * 1024)}</Delete>`, 'EntityTooLarge'],
  ])('with the XML body $0 is rejected with $1', async (body, code) => {
    expect((await send(`POST /${Bucket}?delete`, { body })).code).toBe(code);
  });

  it('with content that differs from the signed hash is rejected and leaves nothing behind', async () => {
    const payloadHash = createHash('sha256').update('signed').digest('hex');
    const response = await send(`PUT /${Bucket}/forged`, { body: 'forged', payloadHash });
    expect(response).toMatchObject({ status: 400, code: 'InvalidChecksum' });
    expect((await send(`GET /${Bucket}/forged`)).status).toBe(404);
  });

  it.each<[string, SignedOptions, number]>([
    ['us-east-1', {}, 403],
    ['eu-here-1', { region: 'eu-here-1' }, 200],
  ])('of the region %s has the status $2 if the region is enforced', async (_name, options, status) => {
    const settings = { S3_PROTOCOL_REGION: 'eu-here-1', S3_PROTOCOL_ENFORCE_REGION: 'true' };
    await using strict = await openServer(settings);
    expect((await sendSigned(strict.server, 'GET /', options)).status).toBe(status);
  });

  it('receives 404 if the protocol is disabled', async () => {
    await using off = await openServer({ S3_PROTOCOL_ENABLED: 'false' });
    const refused = await sendSigned(off.server, 'GET /');
    expect(refused.status).toBe(404);
    expect(JSON.parse(refused.text).message).toContain('storage.s3_protocol.enabled in supabase/config.toml');
  });
});

async function openServer(settings: Record<string, string>) {
  const opened = await StorageServer.open({ settings });
  return { server: opened, [Symbol.asyncDispose]: () => opened.close() };
}

describe('chunked bodies', () => {
  const put = (Key: string, body: string, more: SignedOptions) =>
    send(`PUT /${Bucket}/${Key}`, { body, ...more });
  const UNSIGNED = { payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' };
  const headers = { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x-amz-checksum-crc32' };

  it('without signatures are decoded', async () => {
    const body = '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n';
    expect((await put('chunked', body, { ...UNSIGNED, headers })).status).toBe(200);
    expect(await textAt('chunked')).toBe('hello');
  });

  it.each([
    ['a wrong checksum', '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n', 'InvalidChecksum'],
    ['missing trailers', '5\r\nhello\r\n0\r\n\r\n', 'IncompleteBody'],
    [
      'fewer bytes than declared',
      '4\r\nhell\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
      'IncompleteBody',
    ],
    ['missing chunks', 'hello', 'IncompleteBody'],
  ])('with %s are rejected, and the previous object is kept', async (_name, body, code) => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'before', Body: 'before' }));
    expect(await put('before', body, { ...UNSIGNED, headers })).toMatchObject({ status: 400, code });
    expect(await textAt('before')).toBe('before');
  });

  it('with wrong signatures are rejected', async () => {
    const body = `5;chunk-signature=${'a'.repeat(64)}\r\nhello\r\n0;chunk-signature=${'a'.repeat(64)}\r\n\r\n`;
    const options = {
      payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      headers: { 'x-amz-decoded-content-length': '5' },
    };
    expect(await put('chunked', body, options)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
  });

  it.each([
    ['an unknown checksum', { 'x-amz-trailer': 'x-amz-checksum-md4' }],
    ['an invalid length', { 'x-amz-decoded-content-length': 'long' }],
  ])('with %s are rejected', async (_name, more) => {
    const response = await put('chunked', '0\r\n\r\n', { ...UNSIGNED, headers: { ...headers, ...more } });
    expect(response).toMatchObject({ status: 400, code: 'InvalidRequest' });
  });
});

describe('presigned URLs', () => {
  const Key = 'presigned/a b.txt';

  it('permit uploads, downloads and HEAD until they expire', async () => {
    const data = randomBytes(10_000);
    const upload = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key, ContentType: 'text/plain' }), {
      expiresIn: 60,
      signableHeaders: new Set(['content-type']),
    });
    const sent = await fetch(upload, {
      method: 'PUT',
      body: data,
      headers: { 'content-type': 'text/plain' },
    });
    expect(sent.status).toBe(200);
    const download = await getSignedUrl(
      s3,
      new GetObjectCommand({ Bucket, Key, ResponseContentType: 'text/html' }),
      { expiresIn: 604_800 },
    );
    const got = await fetch(download);
    expect(Buffer.from(await got.arrayBuffer()).equals(data)).toBe(true);
    expect(got.headers.get('content-type')).toBe('text/html');
    expect(got.headers.get('content-security-policy')).toContain('sandbox');
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    const head = await getSignedUrl(s3, new HeadObjectCommand({ Bucket, Key }));
    expect((await fetch(head, { method: 'HEAD' })).status).toBe(200);
    const old = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }), {
      expiresIn: 1,
      signingDate: new Date(Date.now() - 2 * MINUTE),
    });
    expect(await (await fetch(old)).text()).toContain('<Code>ExpiredToken</Code>');
  });

  it('are valid for one key, one method and no other headers', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'secret', Body: 'secret' }));
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'public' }));
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }));
    const put = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key }));
    const codeOf = async (target: string, init?: RequestInit) =>
      /<Code>(\w+)/.exec(await (await fetch(target, init)).text())?.[1];
    expect(await codeOf(url.replace('presigned', 'other'))).toBe('SignatureDoesNotMatch');
    expect(await codeOf(url, { method: 'DELETE' })).toBe('SignatureDoesNotMatch');
    expect(await codeOf(`${url}&response-content-type=text%2Fhtml`)).toBe('SignatureDoesNotMatch');
    const copy = { 'x-amz-copy-source': `${Bucket}/secret` };
    expect(await codeOf(put, { method: 'PUT', headers: copy })).toBe('HeadersNotSigned');
    expect(await codeOf(url, { headers: { authorization: 'Bearer nobody' } })).toBeUndefined();
  });
});

describe('a presigned URL behind a proxy', () => {
  it('is accepted at the configured external URL without forwarding headers', async () => {
    await using away = await openServer({ API_EXTERNAL_URL: 'https://api.example.com/base' });
    const client = clientOf(away.server, { endpoint: 'https://api.example.com/base/storage/v1/s3' });
    const command = new GetObjectCommand({ Bucket, Key: 'none' });
    const { pathname, search } = new URL(await getSignedUrl(client, command));
    const response = await fetch(away.server.apiUrl + pathname.replace('/base', '') + search);
    expect(await response.text()).toContain('<Code>NoSuchKey</Code>');
    client.destroy();
  });

  it.each<[string, string, Record<string, string>, string]>([
    [
      'with a forwarded host',
      'http://api.example.com',
      { 'x-forwarded-host': 'api.example.com' },
      'NoSuchKey',
    ],
    [
      'with a forwarded host and port',
      'http://api.example.com:8443',
      { 'x-forwarded-host': 'api.example.com', 'x-forwarded-port': '8443' },
      'NoSuchKey',
    ],
    [
      'with a forwarded prefix of the path',
      'http://api.example.com/base',
      { 'x-forwarded-host': 'api.example.com', 'x-forwarded-prefix': '/base' },
      'NoSuchKey',
    ],
    ['without forwarding headers', 'http://api.example.com', {}, 'SignatureDoesNotMatch'],
  ])('%s has the result: $3', async (_name, base, headers, code) => {
    const away = clientOf(server, { endpoint: `${base}/storage/v1/s3` });
    const { pathname, search } = new URL(
      await getSignedUrl(away, new GetObjectCommand({ Bucket, Key: 'none' })),
    );
    const response = await fetch(server.apiUrl + pathname.replace('/base', '') + search, { headers });
    expect(await response.text()).toContain(`<Code>${code}</Code>`);
    away.destroy();
  });
});

it('errors have the codes that clients expect', async () => {
  const wrong = clientOf(server, { credentials: { ...TEST_S3_KEYS, secretAccessKey: 'wrong' } });
  const error = refusalOf(wrong.send(new GetObjectCommand({ Bucket, Key: 'a' })));
  expect(await error).toBe('403 SignatureDoesNotMatch');
  wrong.destroy();
});
