import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer, TEST_S3_KEYS } from '../../testing/storage-server.ts';
import { scopeOf, signingKey, signText } from '../signature/verify.ts';

const BUCKET = 'forms';
let server: StorageServer;

beforeAll(async () => {
  server = await StorageServer.open();
  await server.run(`insert into storage.buckets (id, name) values ('${BUCKET}', '${BUCKET}')`);
});
afterAll(() => server.close());

interface FormOptions {
  conditions?: unknown[];
  fields?: Record<string, string>;
  content?: string | null;
  expiration?: string;
  secret?: string;
  sign?: boolean;
}

const CONDITIONS = [{ bucket: BUCKET }, ['starts-with', '$key', 'in/']];

async function post(options: FormOptions = {}) {
  const { conditions = CONDITIONS, fields = { key: 'in/a.txt' }, content = 'content', sign = true } = options;
  const now = new Date();
  const date = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const credential = {
    accessKeyId: TEST_S3_KEYS.accessKeyId,
    day: date.slice(0, 8),
    region: 'us-east-1',
    service: 's3',
  };
  const expiration = options.expiration ?? new Date(now.getTime() + 60_000).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (sign) {
    form.append('X-Amz-Algorithm', 'AWS4-HMAC-SHA256');
    form.append('X-Amz-Credential', `${credential.accessKeyId}/${scopeOf(credential)}`);
    form.append('X-Amz-Date', date);
    form.append('Policy', policy);
    const key = signingKey(options.secret ?? TEST_S3_KEYS.secretAccessKey, credential);
    form.append('X-Amz-Signature', signText(key, policy));
  }
  if (content !== null) form.append('file', new Blob([content], { type: 'text/x-file' }), 'name.txt');
  const response = await fetch(`${server.url}/s3/${BUCKET}`, { method: 'POST', body: form });
  const text = await response.text();
  return {
    status: response.status,
    eTag: response.headers.get('etag'),
    text,
    code: /<Code>(\w+)/.exec(text)?.[1],
  };
}

const read = (key: string) => server.request(`GET /object/${BUCKET}/${key}`);

describe('a form', () => {
  it.each([
    ['Content-Type', { 'Content-Type': 'x'.repeat(1001) }, 400, 'InvalidRequest'],
    ['Cache-Control', { 'Cache-Control': 'x'.repeat(1001) }, 400, 'InvalidRequest'],
    [
      'user metadata',
      Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`x-amz-meta-${n}`, 'x'.repeat(63 * 1024)])),
      413,
      'EntityTooLarge',
    ],
  ])('with %s that is too long is rejected', async (_name, metadata, status, code) => {
    const conditions = [
      ...CONDITIONS,
      ...Object.keys(metadata).map((name) => ['starts-with', `$${name}`, '']),
    ];
    const response = await post({ fields: { key: 'in/long.txt', ...metadata }, conditions });
    expect(response).toMatchObject({ status, code });
  });

  it('uploads its file', async () => {
    const fields = {
      key: 'in/b.txt',
      'Content-Type': 'text/plain',
      'Cache-Control': 'no-store',
      'x-amz-meta-By': 'ann',
    };
    const conditions = [
      ...CONDITIONS,
      ['starts-with', '$Content-Type', 'text/'],
      { 'cache-control': 'no-store' },
      ['eq', '$x-amz-meta-by', 'ann'],
    ];
    const { status, eTag } = await post({ fields, conditions });
    expect({ status, eTag }).toEqual({ status: 200, eTag: '"9a0364b9e99bb480dd25e1f0284c8555"' });
    const { text, headers } = await read('in/b.txt');
    expect(text).toBe('content');
    expect(headers.get('content-type')).toBe('text/plain');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await server.rows(`select user_metadata from storage.objects where name = 'in/b.txt'`)).toEqual([
      { user_metadata: { by: 'ann' } },
    ]);
  });

  it.each([
    ['204', 204, ''],
    ['201', 201, '<Key>in/c</Key>'],
    ['302', 200, ''],
  ])('returns the requested status %s', async (requested, status, text) => {
    const fields = { key: 'in/c', success_action_status: requested };
    const response = await post({
      fields,
      conditions: [...CONDITIONS, ['starts-with', '$success_action_status', '']],
    });
    expect(response.status).toBe(status);
    expect(response.text).toContain(text);
  });

  it.each<[string, FormOptions, number, string]>([
    ['without a signature', { sign: false }, 400, 'InvalidSignature'],
    ['signed with another secret', { secret: 'x' }, 403, 'SignatureDoesNotMatch'],
    ['after its expiry', { expiration: '2020-01-01T00:00:00Z' }, 400, 'ExpiredToken'],
    ['for another folder', { fields: { key: 'out/a.txt' } }, 403, 'AccessDenied'],
    ['with an unsigned field', { fields: { key: 'in/a', acl: 'public' } }, 403, 'AccessDenied'],
    [
      'for another bucket',
      { conditions: [{ bucket: 'other' }, ['starts-with', '$key', '']] },
      403,
      'AccessDenied',
    ],
    ['without a key', { conditions: [{ bucket: BUCKET }], fields: {} }, 400, 'MissingParameter'],
    ['without a file', { content: null }, 400, 'InvalidRequest'],
    [
      'with a file that is too large',
      { conditions: [...CONDITIONS, ['content-length-range', 0, 6]] },
      413,
      'EntityTooLarge',
    ],
    [
      'with a file that is too small',
      { conditions: [...CONDITIONS, ['content-length-range', 8, 99]] },
      400,
      'EntityTooSmall',
    ],
  ])('%s is rejected', async (_name, options, status, code) => {
    expect(await post({ fields: { key: 'in/refused' }, ...options })).toMatchObject({ status, code });
    expect((await read('in/refused')).status).toBe(400);
  });

  it('with too many fields or a truncated field is rejected', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-ignore-${index}`, '1']));
    expect(await post({ fields: { ...fields, key: 'in/a' } })).toMatchObject({
      status: 400,
      code: 'InvalidRequest',
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const response = await fetch(`${server.url}/s3/${BUCKET}`, {
      method: 'POST',
      headers,
      body: '--x\r\nnothing',
    });
    expect(response.status).toBe(400);
  });
});
