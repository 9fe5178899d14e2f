import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type LargeRow,
  openRawPool,
  type RawClient,
  type RawPool,
  type RawStatement,
  runRawBatch,
  type SegmentResult,
} from './index.ts';
import { MAX_OVERSIZED_CHARACTERS, MAX_PREPARED_CHARACTERS } from './raw-batch/prepared.ts';

let database: TestDatabase;
let pool: RawPool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openRawPool({ url: database.url, max: 1, applicationName: 'raw' });
  await database.admin.query({
    text: 'create table numbers (n int primary key deferrable initially deferred)',
  });
});
beforeEach(() => database.admin.query({ text: 'truncate numbers' }));
afterAll(async () => {
  await pool.close();
  await database.drop();
});

const run = (...segments: RawStatement[][]) => pool.use((client) => runRawBatch(client, segments));
const texts = (segment: SegmentResult | undefined) =>
  segment?.results.map(({ rows }) => rows.map((row) => row.map((field) => field?.toString() ?? null)));
const failureOf = (segment: SegmentResult | undefined) => ({
  code: segment?.failure?.error.code,
  statement: segment?.failure?.statement,
});
const insert = (n: string) => ({ text: 'insert into numbers values ($1)', values: [n] });
const count = async () =>
  (await database.admin.query<{ n: number }>({ text: 'select count(*)::int as n from numbers' }))[0]?.n;
const preparedTexts = async (client: RawClient) => {
  const [segment] = await runRawBatch(client, [
    [{ text: 'select statement from pg_prepared_statements order by 1', isPrepared: false }],
  ]);
  return texts(segment)
    ?.flat(2)
    .filter((text) => !text?.includes('pg_prepared_statements'));
};

describe('results', () => {
  it('are in the order of the statements, as bytes', async () => {
    const [first, second] = await run(
      [
        { text: 'select $1::int + 1, null, $2', values: ['1', Buffer.from('ü')] },
        { text: 'select 2 union all select 3 order by 1' },
        { text: 'select 4 where false' },
      ],
      [{ text: 'select 5' }],
    );
    expect(texts(first)).toEqual([[['2', null, 'ü']], [['2'], ['3']], []]);
    expect(texts(second)).toEqual([[['5']]]);
    expect(first?.results[1]?.command).toBe('SELECT 2');
  });

  it('have the requested formats', async () => {
    const bytes = Buffer.from([0, 255, 10]);
    const [segment] = await run([
      { text: 'select 7, $1::bytea, $2::json', values: [{ binary: bytes }, '{"a":1}'], formats: [0, 1, 1] },
    ]);
    expect(segment?.results[0]?.rows).toEqual([[Buffer.from('7'), bytes, Buffer.from('{"a":1}')]]);
  });

  it('may be larger than one read of the socket', async () => {
    const [segment] = await run([{ text: "select repeat('äx', $1::int), 1", values: ['3000000'] }]);
    expect(segment?.results[0]?.rows[0]?.map((field) => field?.length)).toEqual([9_000_000, 1]);
  });

  it('of an empty statement are empty', async () => {
    const [segment] = await run([{ text: '' }, { text: 'select 1' }]);
    expect(texts(segment)).toEqual([[], [['1']]]);
  });

  it("do not disturb pg's own queries on the connection, or its notices", async () => {
    await pool.use(async (client) => {
      const notices: string[] = [];
      client.on('notice', (notice) => notices.push(notice.message ?? ''));
      const [segment] = await runRawBatch(client, [
        [{ text: "do $$ begin raise notice 'hello'; end $$" }, { text: 'select 1' }],
      ]);
      expect(texts(segment)).toEqual([[], [['1']]]);
      expect(notices).toEqual(['hello']);
      expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    });
  });
});

describe('an error', () => {
  it.each([0, 1, 2])(
    'in statement %i of three rolls back its segment, and the next one runs',
    async (position) => {
      const statements: RawStatement[] = [insert('1'), insert('2'), insert('3')];
      statements[position] = { text: 'select 1 / $1::int', values: ['0'] };
      const [first, second] = await run(statements, [insert('4')]);
      expect(failureOf(first)).toEqual({ code: '22012', statement: position });
      expect(first?.results.length).toBe(position);
      expect(second?.failure).toBeUndefined();
      expect(await count()).toBe(1);
    },
  );

  it('in the text is reported like one in a value', async () => {
    const [first] = await run([{ text: 'select 1' }, { text: 'select from from' }]);
    expect(failureOf(first)).toEqual({ code: '42601', statement: 1 });
    const [second] = await run([{ text: 'select $1::int', values: ['x'] }]);
    expect(failureOf(second)).toEqual({ code: '22P02', statement: 0 });
  });

  it('at the end of the transaction is reported after all results', async () => {
    const [segment] = await run([insert('1'), insert('1')]);
    expect(failureOf(segment)).toEqual({ code: '23505', statement: 2 });
    expect(await count()).toBe(0);
  });

  it('before a COMMIT in a separate segment rolls back all changes', async () => {
    const [first, second] = await run(
      [{ text: 'begin' }, insert('1'), { text: 'select 1/0' }],
      [{ text: 'commit' }],
    );
    expect(first).toMatchObject({ status: 'E', failure: { statement: 2 } });
    expect(second).toMatchObject({ status: 'I', results: [{ command: 'ROLLBACK' }] });
    expect(await count()).toBe(0);
  });

  it('has all fields that PostgreSQL sends', async () => {
    const [segment] = await run([
      {
        text: `do $$ begin raise exception using errcode = 'PT418', message = 'möp', detail = 'd', hint = 'h'; end $$`,
      },
    ]);
    expect(segment?.failure?.error).toBeInstanceOf(pg.DatabaseError);
    expect(segment?.failure?.error).toMatchObject({
      code: 'PT418',
      message: 'möp',
      detail: 'd',
      hint: 'h',
      severity: 'ERROR',
    });
  });

  it('before any data is written rejects, and the connection stays usable', async () => {
    await expect(run([{ text: 'select 1' }, { text: 'select \0' }])).rejects.toThrow('zero byte');
    const values = Array.from({ length: 65_536 }, () => '1');
    await expect(run([{ text: 'select 1', values }])).rejects.toThrow('more than 65535');
    expect(texts((await run([{ text: 'select 1' }]))[0])).toEqual([[['1']]]);
  });

  it('for a NUL character in a value is that of PostgreSQL', async () => {
    const [segment] = await run([{ text: 'select $1::text', values: ['a\0b'] }]);
    expect(failureOf(segment)).toEqual({ code: '22021', statement: 0 });
  });

  it('of a statement timeout is reported', async () => {
    const [segment, next] = await run(
      [{ text: "select set_config('statement_timeout', '20', true)" }, { text: 'select pg_sleep(20)' }],
      [{ text: 'select 1' }],
    );
    expect(failureOf(segment)).toEqual({ code: '57014', statement: 1 });
    expect(texts(next)).toEqual([[['1']]]);
  });
});

describe('a transaction that is left open', () => {
  it('is rolled back with its connection', async () => {
    const pid = () => pool.use(async (client) => (await client.query('select pg_backend_pid()')).rows[0]);
    const before = await pid();
    expect((await run([{ text: 'begin' }, insert('1')]))[0]?.status).toBe('T');
    expect(await pid()).not.toEqual(before);
    expect(await count()).toBe(0);
  });
});

describe('a batch whose result is ignored', () => {
  it('ends with its connection', async () => {
    const lost = await pool.use(async (client) => ({
      running: expect(runRawBatch(client, [[{ text: 'select pg_sleep(102)' }]])).rejects.toThrow(),
    }));
    await lost.running;
    expect(texts((await run([{ text: 'select 1' }]))[0])).toEqual([[['1']]]);
  });
});

describe('prepared statements', () => {
  it('are prepared once for each scope', async () => {
    const fresh = openRawPool({ url: database.url, max: 1, applicationName: 'raw' });
    await fresh.use(async (client) => {
      const statement = { text: 'select $1::text', values: ['x'] };
      for (const scope of ['anon', 'anon', 'authenticated', 'anon'])
        await runRawBatch(client, [
          [
            { ...statement, scope },
            { ...statement, scope },
          ],
        ]);
      expect(await preparedTexts(client)).toEqual(['select $1::text', 'select $1::text']);
    });
    await fresh.close();
  });

  it('are not used if the pool disables them', async () => {
    let preparesStatements = true;
    const options = { url: database.url, max: 1, applicationName: 'raw' };
    const fresh = openRawPool({ ...options, preparesStatements: () => preparesStatements });
    const select = (n: number) =>
      fresh.use(async (client) => {
        const [segment] = await runRawBatch(client, [[{ text: `select ${n}, $1::text`, values: ['x'] }]]);
        expect(texts(segment)).toEqual([[[`${n}`, 'x']]]);
        return preparedTexts(client);
      });
    expect(await select(1)).toEqual(['select 1, $1::text']);
    preparesStatements = false;
    for (let i = 0; i < 2; i += 1) expect(await select(2)).toEqual(['select 1, $1::text']);
    expect(await select(1)).toEqual(['select 1, $1::text']);
    await fresh.close();
  });

  it('are limited in number', async () => {
    const fresh = openRawPool({ url: database.url, max: 1, applicationName: 'raw' });
    await fresh.use(async (client) => {
      for (let i = 0; i < 300; i++) await runRawBatch(client, [[{ text: `select ${i}` }]]);
      const prepared = await preparedTexts(client);
      expect(prepared?.length).toBe(250);
      expect(prepared).toContain('select 299');
      expect(prepared).not.toContain('select 0');
      expect(texts((await runRawBatch(client, [[{ text: 'select 0' }]]))[0])).toEqual([[['0']]]);
    });
    await fresh.close();
  });

  it('are prepared again if an error prevented their preparation', async () => {
    const echo = { text: "select 'echo', $1::text", values: ['x'] };
    expect(failureOf((await run([{ text: 'select 1/0' }, echo]))[0]).statement).toBe(0);
    expect(failureOf((await run([echo, { text: 'select 1/0' }]))[0]).statement).toBe(1);
    expect(texts((await run([echo]))[0])).toEqual([[['echo', 'x']]]);
  });

  it.each([
    [
      'whose result has changed',
      'alter table changing alter column c type text; update changing set c = 2',
      '0A000',
    ],
    ['that were deallocated', 'deallocate all', '26000'],
  ])('%s are removed, and reported as stale', async (_, change, code) => {
    const fresh = openRawPool({ url: database.url, max: 1, applicationName: 'raw' });
    await database.admin.query({ text: 'drop table if exists changing' });
    await database.admin.query({ text: 'create table changing as select 2 as c' });
    const select = { text: 'select * from changing' };
    await fresh.use(async (client) => {
      await runRawBatch(client, [[select]]);
      await client.query(change);
      const [stale] = await runRawBatch(client, [[{ text: 'select 1', isPrepared: false }, select]]);
      expect(failureOf(stale)).toEqual({ code, statement: 1 });
      expect(stale?.failure?.isStale).toBe(true);
      expect(texts((await runRawBatch(client, [[select]]))[0])).toEqual([[['2']]]);
    });
    await fresh.close();
  });

  it('do not collide with a statement that a function has prepared', async () => {
    const fresh = openRawPool({ url: database.url, max: 1, applicationName: 'raw' });
    await fresh.use(async (client) => {
      await client.query('prepare g1 as select 666');
      const [stale] = await runRawBatch(client, [[{ text: 'select 1' }]]);
      expect(failureOf(stale)).toEqual({ code: '42P05', statement: 0 });
      expect(stale?.failure?.isStale).toBe(true);
      expect(texts((await runRawBatch(client, [[{ text: 'select 1' }]]))[0])).toEqual([[['1']]]);
    });
    await fresh.close();
  });
});

const isRunning = (text: string) => ({
  text: "select pid from pg_stat_activity where query = $1 and state = 'active'",
  values: [text],
});
const waitUntilRunning = async (text: string) => {
  while ((await database.admin.query(isRunning(text))).length === 0);
};

describe('a signal', () => {
  it('cancels the running statement, and leaves the connection usable', async () => {
    const abort = new AbortController();
    const sleep = 'select pg_sleep(100)';
    const result = pool.use(async (client) => {
      const running = runRawBatch(client, [[insert('1'), { text: sleep }]], { signal: abort.signal });
      await waitUntilRunning(sleep);
      abort.abort();
      const [segment] = await running;
      expect(texts((await runRawBatch(client, [[{ text: 'select 1' }]]))[0])).toEqual([[['1']]]);
      return segment;
    });
    expect(failureOf(await result)).toEqual({ code: '57014', statement: 1 });
    expect(await count()).toBe(0);
  });

  it('that aborts right after the write still cancels the batch', async () => {
    const abort = new AbortController();
    const running = pool.use((client) => {
      const batch = runRawBatch(client, [[{ text: 'select pg_sleep(100)' }]], { signal: abort.signal });
      abort.abort();
      return batch;
    });
    expect(failureOf((await running)[0]).code).toBe('57014');
  });

  it('that has already aborted prevents the write', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const running = pool.use((client) => runRawBatch(client, [[insert('1')]], { signal }));
    await expect(running).rejects.toThrow('gone');
    expect(await count()).toBe(0);
  });
});

describe('a connection that is lost during a batch', () => {
  it("rejects with the server's last error, and the pool recovers", async () => {
    const sleep = 'select pg_sleep(101)';
    const lost = expect(run([insert('1'), { text: sleep }])).rejects.toMatchObject({ code: '57P01' });
    await waitUntilRunning(sleep);
    await database.admin.query({
      text: 'select pg_terminate_backend(pid) from pg_stat_activity where query = $1',
      values: [sleep],
    });
    await lost;
    expect(texts((await run([{ text: 'select 1' }]))[0])).toEqual([[['1']]]);
    expect(await count()).toBe(0);
  });

  it('rejects when the socket breaks, also within a message', async () => {
    const { hostname, port } = new URL(database.url);
    const sockets: { client: Socket; server: Socket }[] = [];
    let passed = 0;
    const proxy = createServer((client) => {
      const server = new Socket();
      server.connect(Number(port), hostname);
      sockets.push({ client, server });
      client.on('data', (bytes) => server.write(bytes));
      server.on('data', (bytes) => {
        passed += bytes.length;
        client.write(bytes);
        if (passed > 1_000_000) client.destroy();
      });
      for (const socket of [client, server]) socket.on('error', () => {});
      client.on('close', () => server.destroy());
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const url = new URL(database.url);
    url.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`;
    const through = openRawPool({ url: url.href, max: 1, applicationName: 'raw' });
    const running = through.use((client) =>
      runRawBatch(client, [[{ text: "select repeat('x', 50000000)" }]]),
    );
    await expect(running).rejects.toThrow();
    await through.close();
    await new Promise((done) => proxy.close(done));
  });
});

describe('a large row', () => {
  const LENGTH = 8_000_000;
  const large = (length = LENGTH): RawStatement[] => [
    { text: "select set_config('app.x', 'y', true)" },
    { text: "select 7, null, repeat('ab', $1::int / 2)", values: [String(length)] },
    { text: 'select 8' },
  ];
  /** Runs the segment, and passes the row to `consume` as soon as it begins. */
  const runLarge = (consume: (row: LargeRow, client: RawClient) => Promise<void>, length?: number) =>
    pool.use(async (client) => {
      let consumed: Promise<void> | undefined;
      const running = runRawBatch(client, [large(length)], {
        streamed: [1],
        onLargeRow: (row) => {
          consumed = consume(row, client);
        },
      });
      const [segment] = await running;
      await consumed;
      return { segment, wasConsumed: consumed !== undefined };
    });
  const idle = () => pool.use((client) => runRawBatch(client, [[{ text: 'select 1' }]]));

  it('is passed with its other fields, and then in pieces', async () => {
    const chunks: Buffer[] = [];
    let received: Omit<LargeRow, 'field'> | undefined;
    const { segment } = await runLarge(async ({ field, ...row }) => {
      received = row;
      for await (const chunk of field) chunks.push(chunk as Buffer);
    });
    expect(received).toEqual({ fields: [Buffer.from('7'), null], length: LENGTH });
    expect(Buffer.concat(chunks).equals(Buffer.from('ab'.repeat(LENGTH / 2)))).toBe(true);
    expect(texts(segment)).toEqual([[['y']], [], [['8']]]);
  });

  it('is part of the result if it is small', async () => {
    const { segment, wasConsumed } = await runLarge(async () => {}, 1000);
    expect(wasConsumed).toBe(false);
    expect(texts(segment)?.[1]).toEqual([['7', null, 'ab'.repeat(500)]]);
  });

  it('is part of the result if another of its fields is the large one', async () => {
    const swapped = { text: "select repeat('x', $1::int), null", values: ['40000000'] };
    const [segment] = await pool.use((client) =>
      runRawBatch(client, [[swapped]], { streamed: [0], onLargeRow: () => expect.unreachable() }),
    );
    expect(segment?.results[0]?.rows[0]?.map((field) => field?.length ?? null)).toEqual([40_000_000, null]);
  });

  it('makes the server wait for its consumer', async () => {
    // More than is buffered for a slow consumer, so the connection waits for it.
    const tooLarge = 280_000_000;
    await runLarge(async ({ field }, client) => {
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      await once(stream, 'pause');
      const waiting = { text: "select from pg_stat_activity where wait_event = 'ClientWrite'" };
      await expect.poll(() => database.admin.query(waiting)).not.toEqual([]);
      expect(stream.isPaused()).toBe(true);
      let length = 0;
      for await (const chunk of field) length += (chunk as Buffer).length;
      expect(length).toBe(tooLarge);
    }, tooLarge);
  });

  it('is discarded if its consumer destroys it', async () => {
    const { segment } = await runLarge(async ({ field }) => {
      field.destroy();
    });
    expect(texts(segment)?.[2]).toEqual([['8']]);
    expect(texts((await idle())[0])).toEqual([[['1']]]);
  });

  it('fails with the connection', async () => {
    const ended = runLarge(async ({ field }, client) => {
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
      await expect(field.toArray()).rejects.toThrow('Connection terminated');
    }, 80_000_000);
    await expect(ended).rejects.toThrow('Connection terminated');
    expect(texts((await idle())[0])).toEqual([[['1']]]);
  });
});

it('truncates a very long message of an error', async () => {
  const [segment] = await run([{ text: 'select $1::int', values: ['x'.repeat(3_000_000)] }]);
  expect(segment?.failure?.error.code).toBe('22P02');
  expect(segment?.failure?.error.message).toHaveLength(1024 * 1024);
});

describe('a statement with a very long text', () => {
  /** A select of about this many characters. */
  const long = (characters: number) => ({ text: `select 1 as "${'a'.repeat(characters)}"` });
  const pidOf = async () => {
    const [segment] = await run([{ text: 'select pg_backend_pid()' }]);
    return texts(segment);
  };

  it('is not prepared', async () => {
    const prepared = await pool.use(async (client) => {
      for (let i = 0; i < 2; i += 1) await runRawBatch(client, [[long(MAX_PREPARED_CHARACTERS)]]);
      return preparedTexts(client);
    });
    expect(prepared?.filter((text) => (text?.length ?? 0) > MAX_PREPARED_CHARACTERS)).toEqual([]);
  });

  it('causes its connection to be replaced', async () => {
    const before = await pidOf();
    await run([long(MAX_OVERSIZED_CHARACTERS)]);
    const after = await pidOf();
    expect(after).not.toEqual(before);
    await run([long(1000)]);
    expect(await pidOf()).toEqual(after);
  });
});
