/** Faults of the S3 store; `archive-store.test.ts` has the behaviour of all stores. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ArchiveStore } from '../archive-store.ts';
import { listAll } from '../list-all.ts';
import { type Fault, type SeenRequest, startTestS3, type TestS3Server } from '../testing/s3-server.ts';
import { openS3Store } from './s3.ts';
import { s3Error } from './s3-error.ts';

const PAUSES = { pausesMs: [1, 1, 1, 1] };
const VALUE = randomBytes(1000);

let server: TestS3Server;
let store: ArchiveStore;

beforeAll(async () => {
  server = await startTestS3();
  store = openS3Store(server.place, PAUSES);
});
afterEach(() => server.empty());
afterAll(async () => {
  await store.close();
  await server.close();
});

/** Injects a fault into the first requests with a method. */
function failFirst(times: number, fault: Fault, method = 'PUT'): void {
  let left = times;
  server.inject((request: SeenRequest) => (request.method === method && left-- > 0 ? fault : undefined));
}

const count = (method: string) => server.seen.filter((request) => request.method === method).length;

describe.each([
  ['500', { status: 500, code: 'InternalError' }],
  ['503 SlowDown', { status: 503, code: 'SlowDown' }],
  ['429', { status: 429, code: 'TooManyRequests' }],
  ['a closed connection', 'reset'],
] satisfies [string, Fault][])('a store that responds with %s', (_name, fault) => {
  it('is tried up to five times', async () => {
    failFirst(4, fault);
    await store.put('a', VALUE);
    expect(count('PUT')).toBe(5);
    failFirst(4, fault, 'GET');
    expect((await store.get('a')).equals(VALUE)).toBe(true);
    failFirst(4, fault, 'GET');
    expect(await listAll(store, '')).toHaveLength(1);
    failFirst(4, fault, 'DELETE');
    await store.remove(['a']);
    expect(await listAll(store, '')).toEqual([]);
  });

  it('is reported as unavailable after that', async () => {
    failFirst(100, fault);
    await expect(store.put('folder/a', VALUE)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /^folder\/a in bucket archive \(some\/prefix\/\) of http.*does not respond/,
      ),
    });
    expect(count('PUT')).toBe(5);
  });
});

it('a value that was cut off by the connection is read again', async () => {
  await store.put('a', VALUE);
  failFirst(2, 'half', 'GET');
  expect((await store.get('a')).equals(VALUE)).toBe(true);
  expect(count('GET')).toBe(3);
});

it('a slow response is awaited', async () => {
  await store.put('a', VALUE);
  failFirst(1, 'slow', 'GET');
  expect((await store.get('a')).equals(VALUE)).toBe(true);
  expect(count('GET')).toBe(1);
});

it('a silent connection is closed and the request repeated', async () => {
  const impatient = openS3Store(server.place, { ...PAUSES, silenceMs: 1000 });
  failFirst(1, 'silence');
  await impatient.put('a', VALUE);
  expect(count('PUT')).toBeGreaterThan(1);
  await impatient.close();
});

it('closing ends the pauses', async () => {
  const closing = openS3Store(server.place, { pausesMs: [3_600_000] });
  failFirst(100, { status: 503, code: 'SlowDown' });
  const put = closing.put('a', VALUE);
  const rejected = expect(put).rejects.toMatchObject({ kind: 'unavailable' });
  await expect.poll(() => count('PUT')).toBe(1);
  await closing.close();
  await rejected;
});

it.each([
  [403, 'InvalidAccessKeyId', 'the store does not know the access key'],
  [403, 'SignatureDoesNotMatch', 'the secret key does not fit'],
  [403, 'AccessDenied', 'allow to get, put, list and delete'],
  [403, 'RequestTimeTooSkewed', 'the clock of this machine'],
  [301, 'PermanentRedirect', 'set it with region='],
  [400, 'InvalidRequest', 'injected'],
])('status %s %s is refused without another try', async (status, code, message) => {
  failFirst(100, { status, code });
  await expect(store.put('a', VALUE)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(message),
  });
  expect(count('PUT')).toBe(1);
});

it('a store without space is reported as full', async () => {
  failFirst(100, { status: 507, code: 'XMinioStorageFull' });
  await expect(store.put('a', VALUE)).rejects.toMatchObject({ kind: 'full' });
});

it('a missing bucket is named', async () => {
  const other = openS3Store({ ...server.place, bucket: 'absent', prefix: '' }, PAUSES);
  const refused = {
    kind: 'refused',
    message: expect.stringMatching(/in bucket absent of http.*: the bucket does not exist: create it/),
  };
  await expect(other.put('a', VALUE)).rejects.toMatchObject(refused);
  await expect(other.get('a')).rejects.toMatchObject(refused);
  await expect(listAll(other, '')).rejects.toMatchObject(refused);
  await expect(other.putIfAbsent('a', VALUE)).rejects.toMatchObject(refused);
  await other.close();
});

it('an unreachable store is named', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const address = closed.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await new Promise((resolve) => closed.close(resolve));
  const other = openS3Store({ ...server.place, endpoint: `http://127.0.0.1:${port}` }, PAUSES);
  await expect(other.get('a')).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
  await other.close();
});

it.each([['DEPTH_ZERO_SELF_SIGNED_CERT'], ['ERR_TLS_CERT_ALTNAME_INVALID']])(
  'a certificate with the error %s is refused',
  (code) => {
    expect(s3Error(Object.assign(new Error('x'), { code }), 'a', 'bucket b')).toMatchObject({
      kind: 'refused',
    });
  },
);

it('objects outside of the prefix are not touched', async () => {
  const other = openS3Store({ ...server.place, prefix: 'some/prefix-2' }, PAUSES);
  await other.put('a', VALUE);
  await store.put('b', VALUE);
  expect((await listAll(store, '')).map(({ name }) => name)).toEqual(['b']);
  await store.remove(['a']);
  expect((await listAll(other, '')).map(({ name }) => name)).toEqual(['a']);
  await other.close();
});

describe('a conditional write', () => {
  it.each(['ignored', 'rejected'] as const)(
    'works with a store where conditions are %s',
    async (conditions) => {
      server.conditions = conditions;
      expect(await store.putIfAbsent('a', Buffer.from('first'))).toBe(true);
      expect(await store.putIfAbsent('a', Buffer.from('second'))).toBe(false);
      expect((await store.get('a')).toString()).toBe('first');
    },
  );

  it('is successful if only its response was lost', async () => {
    server.inject(({ method }) => (method === 'PUT' ? 'half' : undefined));
    expect(await store.putIfAbsent('a', VALUE)).toBe(true);
    server.empty();
    expect(await store.putIfAbsent('a', VALUE)).toBe(true);
    expect(await store.putIfAbsent('a', Buffer.from('other'))).toBe(false);
  });
});

it('many values are removed one by one where removing several at once is not supported', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `a/${index}`);
  for (const name of names) await store.put(name, VALUE);
  failFirst(1, { status: 501, code: 'NotImplemented' }, 'POST');
  await store.remove(names);
  expect(count('DELETE')).toBe(20);
  expect(await listAll(store, '')).toEqual([]);
});
