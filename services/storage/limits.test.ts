import { createFairQueue, type FairQueue } from '@greenroom/limits';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { currentClient } from './fair-database.ts';
import { JobQueue } from './images/job-queue.ts';
import { createStorageLimits, limitKeysOf, queryLimitKeysOf, type StorageLimits } from './limits.ts';
import { sendSigned } from './s3/testing/signed-request.ts';
import { StorageServer } from './testing/storage-server.ts';

const FULL = { max: 1, maxPerClient: 1, maxWaiting: 0, maxWaitingPerClient: 0 };
const SLOW_DOWN = { statusCode: '429', error: 'too_many_requests', code: 'SlowDown' };

describe('limitKeysOf', () => {
  it.each([
    ['the account of a caller', 'ada', '192.0.2.1', ['user:ada']],
    ['the address of an anonymous caller', undefined, '192.0.2.1', ['net:192.0.2.1']],
    ['no key for a client that is not counted', 'ada', undefined, []],
  ])('returns %s', (_name, subject, address, keys) => {
    expect(limitKeysOf({ caller: { subject }, request: { address } })).toEqual(keys);
  });
});

describe('queryLimitKeysOf', () => {
  it.each([
    ['an account and its address', 'ada', '192.0.2.1', ['user:ada', 'net:192.0.2.1']],
    ['the address of an anonymous caller', undefined, '192.0.2.1', ['net:192.0.2.1']],
    ['no key for a client that is not counted', 'ada', undefined, []],
  ])('returns %s', (_name, subject, address, keys) => {
    expect(queryLimitKeysOf({ caller: { subject }, request: { address } })).toEqual(keys);
  });
});

const PLACES = { bucketId: 'b', sourceKey: 'a' };

type Queue = Exclude<keyof StorageLimits, 'reads'>;

describe('a service at its limits', () => {
  let server: StorageServer;
  let limits: StorageLimits;
  const releases: (() => void)[] = [];
  beforeAll(async () => {
    server = await StorageServer.open();
    limits = server.instance.context.limits;
    await server.request('POST /bucket', { body: { name: 'b', public: true } });
    await server.request('POST /object/b/a', { body: 'x' });
  });
  afterEach(() => {
    for (const release of releases.splice(0)) release();
    Object.assign(limits, createStorageLimits());
  });
  afterAll(() => server.close());

  async function fill(name: Queue): Promise<FairQueue> {
    const queue = createFairQueue(FULL);
    limits[name] = queue;
    releases.push(await queue.acquire([]));
    return queue;
  }

  it('counts lists of several accounts at one address as those of one client', async () => {
    const waiting = createFairQueue({ ...FULL, max: 6 });
    limits.queries = waiting;
    releases.push(await waiting.acquire(['net:192.0.2.1']));
    const list = async (subject: string, address: string) => {
      const headers = { 'sb-forwarded-for': address, apikey: server.apiKeys.serviceRole };
      const token = await server.token({ sub: subject });
      return (await server.request('POST /object/list/b', { headers, token, body: { prefix: '' } })).status;
    };
    expect(await list('ada', '192.0.2.1')).toBe(429);
    expect(await list('ben', '192.0.2.1')).toBe(429);
    expect(await list('ada', '192.0.2.2')).toBe(200);
  });

  const tus = {
    'tus-resumable': '1.0.0',
    'upload-length': '1',
    'upload-metadata': `bucketName ${btoa('b')},objectName ${btoa('t')}`,
  };

  it.each<[Queue, string, object]>([
    ['queries', 'POST /object/list/b', { body: { prefix: '' } }],
    ['queries', 'POST /object/list-v2/b', { body: {} }],
    ['queries', 'GET /bucket', {}],
    ['queries', 'DELETE /object/b', { body: { prefixes: ['none'] } }],
    ['queries', 'POST /object/sign/b', { body: { expiresIn: 1, paths: ['a'] } }],
    ['uploads', 'POST /object/b/new', { body: 'x' }],
    ['uploads', 'PUT /object/b/a', { body: 'x' }],
    ['uploads', 'POST /object/copy', { body: { ...PLACES, destinationKey: 'copied' } }],
    ['uploads', 'POST /object/move', { body: { ...PLACES, destinationKey: 'a' } }],
    ['downloads', 'GET /object/public/b/a', {}],
    ['downloads', 'GET /object/authenticated/b/a', {}],
  ])('rejects further %s: %s', async (name, target, options) => {
    const queue = await fill(name);
    const refused = await server.request(target, options);
    expect(refused).toMatchObject({ status: 429, json: SLOW_DOWN });
    expect(refused.headers.get('retry-after')).toBe('1');
    for (const release of releases.splice(0)) release();
    expect((await server.request(target, options)).status).toBe(200);
    expect(queue.active).toBe(0);
  });

  it('runs the statements of a request for its client', async () => {
    const { database } = server.instance.context;
    const { transaction } = database;
    const clients: (readonly string[])[] = [];
    database.transaction = (work) => {
      clients.push(currentClient());
      return transaction(work);
    };
    const from = { 'sb-forwarded-for': '192.0.2.1', apikey: server.apiKeys.serviceRole };
    const token = await server.token({ sub: 'ada' });
    const copy = { ...PLACES, destinationKey: 'copied for a client' };
    expect((await server.request('POST /object/copy', { headers: from, body: copy })).status).toBe(200);
    await server.request('POST /object/b/refused', { headers: from, body: 'x', token });
    database.transaction = transaction;
    expect(clients).toEqual([['net:192.0.2.1'], ['user:ada']]);
  });

  it('runs a group of uploads for none of their clients, because it uses one connection', async () => {
    const { database } = server.instance.context;
    const { transaction } = database;
    const clients: (readonly string[])[] = [];
    database.transaction = (work) => {
      clients.push(currentClient());
      return transaction(work);
    };
    const from = { 'sb-forwarded-for': '192.0.2.1', apikey: server.apiKeys.serviceRole };
    await server.request('PUT /object/b/grouped', { headers: from, body: 'x' });
    database.transaction = transaction;
    expect(clients).toEqual([[]]);
  });

  it('rejects further forms of the S3 protocol before it reads them', async () => {
    await fill('uploads');
    const body = new FormData();
    body.append('file', new Blob(['x']));
    const refused = await server.request('POST /s3/b', { token: null, body });
    expect(refused.status).toBe(429);
    for (const release of releases.splice(0)) release();
    expect((await server.request('POST /s3/b', { token: null, body })).status).toBe(400);
  });

  it('limits the reads of downloads per client', async () => {
    let turns = 0;
    limits.reads = {
      forClient: () => (read) => {
        turns += 1;
        return read();
      },
    };
    await server.request('POST /object/b/large', { body: 'x'.repeat(1024 * 1024) });
    await server.request('GET /object/public/b/large');
    expect(turns).toBeGreaterThanOrEqual(4);
    turns = 0;
    await sendSigned(server, 'GET /b/large');
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('rejects further resumable uploads in the format of their protocol', async () => {
    await fill('uploads');
    const refused = await server.request('POST /upload/resumable', { headers: tus });
    expect([refused.status, refused.json]).toEqual([429, undefined]);
    expect(refused.text).toContain('Too many requests');
  });
});

describe('JobQueue', () => {
  const options = {
    maxConcurrent: 2,
    maxConcurrentPerClient: 1,
    maxWaiting: 3,
    maxWaitingPerClient: 1,
    maxWaitMs: 60_000,
  };

  it('keeps a slot free for other clients', async () => {
    const queue = new JobQueue(options);
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const work = (name: string, until?: Promise<void>) => async () => {
      order.push(name);
      await until;
    };
    const running = queue.run(['a'], work('a1', first.promise));
    const waiting = queue.run(['a'], work('a2'));
    await queue.run(['b'], work('b1'));
    expect(order).toEqual(['a1', 'b1']);
    await expect(queue.run(['a'], work('a3'))).rejects.toMatchObject({ code: 'TooManyRequests' });
    first.resolve();
    await Promise.all([running, waiting]);
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('rejects all clients when too many jobs are waiting', async () => {
    const queue = new JobQueue({ ...options, maxConcurrent: 1, maxWaiting: 1 });
    const first = Promise.withResolvers<void>();
    const running = queue.run(['a'], () => first.promise);
    const waiting = queue.run(['b'], async () => undefined);
    await expect(queue.run(['c'], async () => undefined)).rejects.toMatchObject({ code: 'SlowDown' });
    first.resolve();
    await Promise.all([running, waiting]);
  });
});
