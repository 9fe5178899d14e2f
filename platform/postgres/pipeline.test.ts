import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type LargeRow,
  openRawPool,
  PoolTimeoutError,
  type RawPool,
  type Read,
  type ReadResult,
  StatementLatency,
} from './index.ts';
import { QUICK_CONNECTIONS } from './pipeline.ts';
import { RawClient } from './raw-batch/client.ts';

let database: TestDatabase;
let pool: RawPool;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => open(1));
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.close();
});
afterAll(() => database.drop());

function open(max: number, connectionTimeoutMs?: number): void {
  const timeout = connectionTimeoutMs === undefined ? {} : { connectionTimeoutMs };
  pool = openRawPool({ url: database.url, max, applicationName: 'pipeline', ...timeout });
}

/** Latency of a statement that is known to be quick. */
function quick(): StatementLatency {
  const latency = new StatementLatency();
  for (let i = 0; i < 4; i++) latency.record(0.1);
  return latency;
}

const read = (expression: string, more: Partial<Read> = {}) =>
  pool.read({ write: () => ({ statements: [{ text: `select ${expression}` }] }), latency: quick(), ...more });
const textOf = ({ result }: ReadResult) => result.results[0]?.rows[0]?.[0]?.toString();
const codeOf = ({ result }: ReadResult) => result.failure?.error.code;

/** Keeps `count` connections busy, so that reads have to wait, until the returned function is called. */
async function busy(count = 1): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const acquired = Array.from({ length: count }, () => Promise.withResolvers<void>());
  for (const { resolve: acquire } of acquired) {
    void pool.use(async () => {
      acquire();
      await promise;
    });
  }
  await Promise.all(acquired.map((each) => each.promise));
  return resolve;
}

/** Runs `begin` while a lock blocks its expression, until all of it waits. */
async function whileLocked<T extends readonly unknown[]>(begin: (waitFor: string) => T): Promise<T> {
  const key = Math.trunc(Math.random() * 1e9);
  return database.admin.transaction(async (tx) => {
    await tx.query({ text: `select pg_advisory_xact_lock(${key})` });
    const begun = begin(`pg_advisory_xact_lock_shared(${key})`);
    const text = `select from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`;
    await expect.poll(() => database.admin.query({ text }), { timeout: 20_000 }).toHaveLength(begun.length);
    return begun;
  });
}

const writes = () => vi.spyOn(RawClient.prototype, 'write').mock.calls;

// On a busy machine even a quick read may seem slow, and then others do not wait behind it.
describe('reads that wait', { retry: 2 }, () => {
  it('share one write, and each has its own result', async () => {
    const release = await busy();
    const written = writes();
    const reads = [1, 2, 3, 4, 5, 6].map((n) => read(`${n}`));
    release();
    expect((await Promise.all(reads)).map(textOf)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(written).toHaveLength(1);
  });

  it('run separately until their latency is known', async () => {
    const release = await busy();
    const written = writes();
    const reads = [1, 2, 3].map((n) => read(`${n}`, { latency: new StatementLatency() }));
    release();
    expect((await Promise.all(reads)).map(textOf)).toEqual(['1', '2', '3']);
    expect(written).toHaveLength(3);
  });

  it('are limited to a few in one write', async () => {
    const release = await busy();
    const written = writes();
    const reads = Array.from({ length: 30 }, (_, n) => read(`${n}`));
    release();
    await Promise.all(reads);
    expect(written).toHaveLength(3);
  });

  it('do not affect each other by errors and settings', async () => {
    const release = await busy();
    const set = { text: "select set_config('role', 'anon', true), set_config('a.b', 'x', true)" };
    const reads = [
      read('1'),
      read('', { write: () => ({ statements: [set, { text: 'select 1 / 0' }] }) }),
      read("current_user || coalesce(current_setting('a.b', true), '')"),
      read('nothing'),
      read('5'),
    ];
    release();
    const results = await Promise.all(reads);
    expect(results.map(codeOf)).toEqual([undefined, '22012', undefined, '42703', undefined]);
    expect([results[0], results[2], results[4]].map((each) => each && textOf(each))).toEqual([
      '1',
      'supabase_admin',
      '5',
    ]);
  });

  it('leave turns to callers that need a whole connection', async () => {
    const release = await busy();
    const order: string[] = [];
    const record = (label: string) => () => void order.push(label);
    const first = read('1').then(record('read'));
    const alone = pool.use(async () => record('alone')());
    const more = first.then(() => read('2')).then(record('read later'));
    release();
    await Promise.all([first, alone, more]);
    expect(order).toEqual(['read', 'alone', 'read later']);
  });

  it('are rejected after the timeout, and only those', async () => {
    await pool.close();
    open(1, 100);
    const release = await busy();
    await expect(read('1')).rejects.toThrow(PoolTimeoutError);
    const later = read('2');
    release();
    expect(textOf(await later)).toBe('2');
  });

  it('reject if no server is reachable', async () => {
    await pool.close();
    pool = openRawPool({
      url: 'postgresql://nobody@127.0.0.1:1/nothing',
      max: 1,
      applicationName: 'pipeline',
    });
    const reads = await Promise.allSettled([read('1'), read('2')]);
    expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('with free connections', () => {
  it('each use a separate one', async () => {
    await pool.close();
    open(3);
    (await busy(3))();
    await Promise.all([1, 2, 3].map(() => pool.use(async () => {})));
    const written = writes();
    const clients = await Promise.all([1, 2, 3].map(async (n) => (await read(`${n}`)).client));
    expect(written).toHaveLength(3);
    expect(new Set(clients).size).toBe(3);
  });
});

describe('quick reads', () => {
  const clientsOf = (results: readonly ReadResult[]) => new Set(results.map(({ client }) => client));
  const many = (more: Partial<Read> = {}) => Array.from({ length: 60 }, (_, n) => read(`${n}`, more));

  beforeEach(async () => {
    await pool.close();
    open(QUICK_CONNECTIONS + 2);
  });

  it('use only a few connections even if more are free', async () => {
    expect(clientsOf(await Promise.all(many())).size).toBeLessThanOrEqual(QUICK_CONNECTIONS);
  });

  it('leave all connections to slow reads', async () => {
    const unknown = await whileLocked((waitFor) =>
      Array.from({ length: QUICK_CONNECTIONS + 2 }, () => read(waitFor, { latency: new StatementLatency() })),
    );
    expect(clientsOf(await Promise.all(unknown)).size).toBe(QUICK_CONNECTIONS + 2);
  });

  it.each([
    ['are known to be slow', () => new StatementLatency()],
    ['turn out to be slow', quick],
  ])('do not wait for reads that %s', async (_, latencyOf) => {
    const ended: string[] = [];
    const slow = Array.from({ length: QUICK_CONNECTIONS }, () =>
      read('pg_sleep(1)', { latency: latencyOf() }).then(() => ended.push('slow')),
    );
    await Promise.all([...slow, ...many().map((each) => each.then(() => ended.push('quick')))]);
    expect(ended.indexOf('slow')).toBe(60);
  });

  // On a busy machine the batch may take longer than quick reads may, and is then split, which is another case.
  it('record their latency once, as the share of each', { retry: 3 }, async () => {
    await pool.close();
    open(1);
    const latencies = [quick(), quick()] as const;
    const release = await busy();
    const together = [0, 0, 1].map((which) =>
      read('pg_sleep(0.003)', { latency: latencies[which] ?? quick() }),
    );
    const recordLatency = vi.spyOn(StatementLatency.prototype, 'record').mockClear();
    release();
    await Promise.all(together);
    expect(new Set(recordLatency.mock.contexts)).toEqual(new Set(latencies));
    const share = expect.toSatisfy((ms: number) => ms >= 3);
    expect(recordLatency.mock.calls).toEqual([[share], [share]]);
  });
});

describe('a read that turns out to be slow', () => {
  it('does not delay other reads', async () => {
    await pool.close();
    open(2);
    const release = await busy(2);
    const latency = quick();
    const ended: string[] = [];
    const slow = read('pg_sleep(1)', { latency }).then(() => ended.push('slow'));
    const others = [1, 2, 3].map((n) => read(`${n}`).then((result) => ended.push(textOf(result) ?? '')));
    release();
    await Promise.all([slow, ...others]);
    expect(ended.at(-1)).toBe('slow');
    expect(ended.toSorted()).toEqual(['1', '2', '3', 'slow']);
    expect(latency.isQuick).toBe(false);
  });

  it('does not delay other reads if its result is consumed slowly', async () => {
    await pool.close();
    open(2);
    const release = await busy(2);
    const { promise: begun, resolve } = Promise.withResolvers<LargeRow>();
    const large = read('', {
      write: () => ({ statements: [{ text: "select repeat('x', 20000000)" }], streamed: 0 }),
      onLargeRow: resolve,
    });
    const other = read('2');
    release();
    const { field, length } = await begun;
    expect(textOf(await other)).toBe('2');
    expect(length).toBe(20_000_000);
    field.destroy();
    await large;
  });
});

describe('a read without a connection', () => {
  it('is rejected after the timeout, even if no other read has waited before', async () => {
    await pool.close();
    open(2, 300);
    const unknown = () => ({ latency: new StatementLatency() });
    let long: readonly Promise<ReadResult>[] = [];
    await database.admin.transaction(async (tx) => {
      await tx.query({ text: 'select pg_advisory_xact_lock(2)' });
      long = [1, 2].map(() => read('pg_advisory_xact_lock_shared(2)', unknown()));
      const text = "select from pg_locks where locktype = 'advisory' and objid = 2 and not granted";
      await expect.poll(() => database.admin.query({ text }), { timeout: 20_000 }).toHaveLength(2);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await expect(read('1', unknown())).rejects.toThrow(PoolTimeoutError);
    });
    await Promise.all(long);
  });
});

it('a read is not rejected because of a refused connection while others work', async () => {
  const role = `limited_${database.url.split('_').at(-1)}`;
  await database.admin.query({ text: `create role ${role} login superuser password 'x'` });
  const limited = new URL(database.url);
  limited.username = role;
  limited.password = 'x';
  await pool.close();
  pool = openRawPool({ url: limited.href, max: 4, applicationName: 'pipeline' });
  try {
    let others: readonly Promise<ReadResult>[] = [];
    const long = await database.admin.transaction(async (tx) => {
      await tx.query({ text: 'select pg_advisory_xact_lock(3)' });
      const begun = [read('pg_advisory_xact_lock_shared(3)', { latency: new StatementLatency() })];
      const text = "select from pg_locks where locktype = 'advisory' and objid = 3 and not granted";
      await expect.poll(() => database.admin.query({ text }), { timeout: 20_000 }).toHaveLength(1);
      // Other sessions cannot log in any more.
      await database.admin.query({ text: `alter role ${role} nologin` });
      others = [1, 2, 3].map((n) => read(`${n}`, { latency: new StatementLatency() }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      return begun;
    });
    await Promise.all(long);
    expect((await Promise.all(others)).map(textOf)).toEqual(['1', '2', '3']);
  } finally {
    await pool.close();
    await database.admin.query({ text: `drop role ${role}` });
    open(1);
  }
});

it('a read that cannot be written is rejected', async () => {
  const write = () => {
    throw new Error('not written');
  };
  await expect(read('', { write })).rejects.toThrow('not written');
  expect(textOf(await read('1'))).toBe('1');
});

describe('an aborted read', () => {
  it('is not written if it still waits', async () => {
    const release = await busy();
    const disconnect = new AbortController();
    const write = vi.fn(() => ({ statements: [{ text: 'select 1' }] }));
    const aborted = read('', { write, signal: disconnect.signal });
    const other = read('2');
    disconnect.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    release();
    expect(textOf(await other)).toBe('2');
    expect(write).not.toHaveBeenCalled();
    await expect(read('', { write, signal: disconnect.signal })).rejects.toThrow('gone');
  });

  it('is cancelled if it runs, and no other read is', async () => {
    await pool.close();
    open(2);
    const release = await busy(2);
    const disconnect = new AbortController();
    const aborted = read('pg_sleep(60)', { signal: disconnect.signal });
    const others = [1, 2, 3].map((n) => read(`${n}`));
    release();
    const sleeping = `select from pg_stat_activity where query like '%pg_sleep(60)' and state = 'active'`;
    while ((await database.admin.query({ text: sleeping })).length === 0);
    disconnect.abort();
    expect(codeOf(await aborted)).toBe('57014');
    expect((await Promise.all(others)).map(textOf)).toEqual(['1', '2', '3']);
    expect(textOf(await read('4'))).toBe('4');
  });

  it('is skipped if it waits behind another one', async () => {
    const release = await busy();
    const disconnect = new AbortController();
    const first = read('pg_sleep(0.005)');
    const behind = read('2', { signal: disconnect.signal });
    const last = read('3');
    const written = writes();
    release();
    while (written.length === 0) await new Promise(setImmediate);
    disconnect.abort(new Error('gone'));
    await Promise.allSettled([first, behind]);
    expect(textOf(await last)).toBe('3');
    expect(textOf(await read('4'))).toBe('4');
  });
});

describe('a lost connection', () => {
  it.each([0, 1, 2])(
    'rejects the read that caused it; the others are run elsewhere (%i)',
    async (position) => {
      const release = await busy();
      const expressions = ['1', '2'].toSpliced(position, 0, 'pg_terminate_backend(pg_backend_pid())');
      const outcomes = Promise.allSettled(expressions.map((expression) => read(expression)));
      release();
      const reported = (await outcomes).map((each) =>
        each.status === 'fulfilled' ? textOf(each.value) : (each.reason as { code: string }).code,
      );
      expect(reported).toEqual(['1', '2'].toSpliced(position, 0, '57P01'));
    },
  );
});

describe('reads in one write', { retry: 2 }, () => {
  it('are separate read-only transactions', async () => {
    const release = await busy();
    const reads = [read('now()::text'), read('pg_sleep(0.002)'), read('now()::text')];
    const writing = read('', { write: () => ({ statements: [{ text: 'create table written ()' }] }) });
    release();
    const [first, , last] = (await Promise.all(reads)).map(textOf);
    expect(first).not.toBe(last);
    expect(codeOf(await writing)).toBe('25006');
  });

  it('keep results that arrived before one of them failed', async () => {
    const release = await busy();
    const write = vi.fn((_client: RawClient) => ({ statements: [{ text: "select 'once'" }] }));
    const before = read('', { write });
    const failing = read('1 / 0');
    const after = read('3');
    release();
    expect(textOf(await before)).toBe('once');
    expect(codeOf(await failing)).toBe('22012');
    expect(textOf(await after)).toBe('3');
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('stay together behind a failed read', async () => {
    const release = await busy();
    const written = writes();
    const failing = read('1 / 0');
    const others = [1, 2, 3].map((n) => read(`${n}`));
    release();
    expect(codeOf(await failing)).toBe('22012');
    expect((await Promise.all(others)).map(textOf)).toEqual(['1', '2', '3']);
    // The second one rolls back.
    expect(written).toHaveLength(3);
  });

  it('stay together after a setting of the session has changed permanently', async () => {
    // As after a reload of the server's configuration, which would affect all tests that run at the same time.
    vi.spyOn(RawClient.prototype, 'hasChangedSettings', 'get').mockReturnValue(true);
    const release = await busy();
    const written = writes();
    const reads = Array.from({ length: 12 }, (_, n) => read(`${n}`));
    release();
    expect((await Promise.all(reads)).map(textOf)).toEqual(Array.from({ length: 12 }, (_, n) => `${n}`));
    expect(written).toHaveLength(1);
  });

  it('may each be large, and return one result each', async () => {
    const release = await busy();
    const large = (letter: string) => {
      const rows: LargeRow[] = [];
      const write = () => ({ statements: [{ text: `select repeat('${letter}', 3000000)` }], streamed: 0 });
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const onLargeRow = (row: LargeRow) => {
        rows.push(row);
        row.field.toArray().then((chunks) => resolve(Buffer.concat(chunks).length), reject);
      };
      const ended = read('', { write, onLargeRow });
      return { rows, bytes: promise, ended };
    };
    const reads = ['a', 'b', 'c'].map(large);
    release();
    for (const { rows, bytes, ended } of reads) {
      expect(await bytes).toBe(3_000_000);
      await ended;
      expect(rows).toHaveLength(1);
    }
  });

  it('are not run behind a large one after they were aborted', async () => {
    const release = await busy();
    const first = read('', {
      write: () => ({ statements: [{ text: "select repeat('a', 3000000)" }], streamed: 0 }),
      onLargeRow: ({ field }) => field.resume(),
    });
    const write = vi.fn(() => ({ statements: [{ text: 'select pg_advisory_xact_lock_shared(1)' }] }));
    const behind = read('', { write });
    await database.admin.transaction(async (tx) => {
      await tx.query({ text: 'select pg_advisory_xact_lock(1)' });
      release();
      await first;
      // The only connection has stopped waiting for the lock, and waits for it again.
      await expect.poll(() => write.mock.calls, { timeout: 20_000 }).toHaveLength(2);
    });
    expect((await behind).result.failure).toBeUndefined();
  });

  it('run a large read behind another read separately', async () => {
    await pool.close();
    open(2);
    const release = await busy(2);
    const first = read('1');
    const { promise: begun, resolve } = Promise.withResolvers<LargeRow>();
    const large = read('', {
      write: () => ({ statements: [{ text: "select repeat('x', 20000000)" }], streamed: 0 }),
      onLargeRow: resolve,
    });
    release();
    expect(textOf(await first)).toBe('1');
    const { field, length } = await begun;
    expect(length).toBe(20_000_000);
    let received = 0;
    for await (const chunk of field) received += (chunk as Buffer).length;
    expect(received).toBe(20_000_000);
    await large;
  });
});

it('reads do not leak settings of the session to the next one', async () => {
  const release = await busy();
  const leak = read("set_config('DateStyle', 'German', false)");
  const clean = (client: RawClient) => (client.hasChangedSettings ? [{ text: 'reset all' }] : []);
  const next = read('', {
    write: (client) => ({ statements: [...clean(client), { text: "select current_setting('DateStyle')" }] }),
  });
  release();
  expect(textOf(await leak)).toContain('German');
  expect((await next).result.results.at(-1)?.rows[0]?.[0]?.toString()).toBe('ISO, MDY');
});

describe('slow reads of one client', { retry: 2 }, () => {
  const holder = { address: '203.0.113.7' };
  const other = { address: '198.51.100.1' };
  const slow = (waitFor: string, more: Partial<Read> = {}) =>
    read(waitFor, { latency: new StatementLatency(), holder, ...more });

  it('leave connections to others', async () => {
    await pool.close();
    open(4);
    const key = Math.trunc(Math.random() * 1e9);
    const mine: Promise<ReadResult>[] = [];
    await database.admin.transaction(async (tx) => {
      await tx.query({ text: `select pg_advisory_xact_lock(${key})` });
      for (let i = 0; i < 10; i++) mine.push(slow(`pg_advisory_xact_lock_shared(${key})`));
      expect(textOf(await read('1', { latency: new StatementLatency(), holder: other }))).toBe('1');
      expect(textOf(await read('2', { holder: other }))).toBe('2');
      const running = await tx.query({
        text: `select from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`,
      });
      expect(running.length).toBeLessThan(2);
    });
    expect((await Promise.all(mine)).map(codeOf)).toEqual(mine.map(() => undefined));
  });

  it('that seemed quick are stopped if they are too many, and run again', async () => {
    await pool.close();
    open(4);
    const key = Math.trunc(Math.random() * 1e9);
    const mine: Promise<ReadResult>[] = [];
    await database.admin.transaction(async (tx) => {
      await tx.query({ text: `select pg_advisory_xact_lock(${key})` });
      for (let i = 0; i < 6; i++) {
        mine.push(read(`pg_advisory_xact_lock_shared(${key})`, { latency: quick(), holder }));
      }
      const text = `select from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`;
      await expect.poll(() => tx.query({ text }), { timeout: 20_000 }).toHaveLength(1);
      expect(textOf(await read('2', { latency: new StatementLatency(), holder: other }))).toBe('2');
    });
    expect((await Promise.all(mine)).map(codeOf)).toEqual(mine.map(() => undefined));
  });

  it('release their permits when they turn out to be quick, and share a batch', async () => {
    await pool.close();
    open(10);
    const releaseOthers = await busy(9);
    const release = await busy();
    const latency = new StatementLatency();
    const uncounted = { address: '' };
    const reads = Array.from({ length: 8 }, (_, n) => read(`${n}`, { latency, holder: uncounted }));
    expect(pool.shares.tryAcquire(uncounted)).toBeUndefined();
    for (let i = 0; i < 4; i++) latency.record(0.1);
    release();
    await Promise.all(reads);
    releaseOthers();
    await expect.poll(permitsLeft).toBe(8);

    function permitsLeft(): number {
      const releases = Array.from({ length: 10 }, () => pool.shares.tryAcquire(uncounted));
      const got = releases.filter((each) => each !== undefined);
      for (const requeue of got) requeue();
      return got.length;
    }
  });

  it('release their permits when they fail', async () => {
    for (let i = 0; i < 3; i++) expect(codeOf(await slow('1 / 0'))).toBe('22012');
    const failing = slow('', {
      write() {
        throw new Error('cannot be written');
      },
    });
    await expect(failing).rejects.toThrow('cannot be written');
    expect(textOf(await slow('1'))).toBe('1');
  });
});
