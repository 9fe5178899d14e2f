/** Queues of pgmq: the extension in `extensions/pgmq/`, as `postgres` uses it. */
import { createTestDatabase, lastRows, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let client: pg.Client;
let notices: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.query('create extension pgmq');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// Most tests run in a transaction, so the next one finds no queue.
beforeEach(async () => {
  notices = [];
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

const query = (sql: string, on = client) => lastRows(on, sql);

/** Runs `work` with the committed queue `tasks` and connections of their own. */
async function withQueue(
  connections: number,
  work: (clients: [pg.Client, ...pg.Client[]]) => Promise<void>,
): Promise<void> {
  await client.query(`rollback; select pgmq.create('tasks')`);
  const clients = await Promise.all(Array.from({ length: connections }, () => openClient(database.ownerUrl)));
  try {
    await work(clients as [pg.Client, ...pg.Client[]]);
  } finally {
    await Promise.all(clients.map((opened) => opened.end()));
    await client.query(`rollback; select pgmq.drop_queue('tasks')`);
  }
}

describe('a message', () => {
  beforeEach(() => client.query(`select pgmq.create('tasks')`));

  it('is invisible after it was read, until its timeout', async () => {
    expect(await query(`select pgmq.send('tasks', '{"a": 1}')`)).toEqual([{ send: '1' }]);
    expect(
      await query(`select *, vt > clock_timestamp() + '50 s' as is_hidden from pgmq.read('tasks', 60, 5)`),
    ).toEqual([
      {
        msg_id: '1',
        read_ct: 1,
        enqueued_at: expect.any(Date),
        vt: expect.any(Date),
        message: { a: 1 },
        headers: null,
        is_hidden: true,
      },
    ]);
    expect(await query(`select * from pgmq.read('tasks', 60, 5)`)).toEqual([]);
    expect(
      await query(`select msg_id, read_ct, vt <= clock_timestamp() as due from pgmq.set_vt('tasks', 1, 0)`),
    ).toEqual([{ msg_id: '1', read_ct: 1, due: true }]);
    expect(await query(`select msg_id, read_ct from pgmq.read('tasks', 60, 5)`)).toEqual([
      { msg_id: '1', read_ct: 2 },
    ]);
  });

  it.each([
    [`'{"a": 1}'`, 0, null],
    [`'{"a": 1}', 0`, 0, null],
    [`'{"a": 1}', 300`, 300, null],
    [`'{"a": 1}', delay => 300`, 300, null],
    [`'{"a": 1}', clock_timestamp() + '300 s'`, 300, null],
    [`'{"a": 1}', '{"h": 2}'::jsonb`, 0, { h: 2 }],
    [`'{"a": 1}', '{"h": 2}'::jsonb, 300`, 300, { h: 2 }],
    [`'{"a": 1}', '{"h": 2}'::jsonb, clock_timestamp() + '300 s'`, 300, { h: 2 }],
    ['msg => null', 0, null],
  ])('sent with %s is visible after %i s, with the headers %j', async (values, seconds, headers) => {
    await client.query(`select pgmq.send('tasks', ${values})`);
    const message = values.includes('null') ? null : { a: 1 };
    expect(
      await query(`select message, headers,
        vt <= clock_timestamp() + interval '${seconds} s' and vt > clock_timestamp() + interval '${seconds - 10} s' as due
        from pgmq.q_tasks`),
    ).toEqual([{ message, headers, due: true }]);
    expect(await query(`select from pgmq.read('tasks', 1, 1)`)).toHaveLength(seconds === 0 ? 1 : 0);
  });

  it.each([
    ['', [null, null], 2],
    [', 0', [null, null], 2],
    [', 300', [null, null], 0],
    [`, clock_timestamp() + '300 s'`, [null, null], 0],
    [`, array['{"h": 1}', '{"h": 2}']::jsonb[]`, [{ h: 1 }, { h: 2 }], 2],
    [`, array['{"h": 1}']::jsonb[]`, [{ h: 1 }, null], 2],
    [`, array['{"h": 1}', '{"h": 2}']::jsonb[], 300`, [{ h: 1 }, { h: 2 }], 0],
    [`, array['{"h": 1}', '{"h": 2}']::jsonb[], clock_timestamp() + '300 s'`, [{ h: 1 }, { h: 2 }], 0],
  ])('of a batch sent with %j has the headers %j', async (more, headers, visible) => {
    const sent = await query(
      `select pgmq.send_batch('tasks', array['{"a": 1}', '{"a": 2}']::jsonb[]${more}) as id`,
    );
    expect(sent).toEqual([{ id: '1' }, { id: '2' }]);
    expect(await query('select message, headers from pgmq.q_tasks order by msg_id')).toEqual([
      { message: { a: 1 }, headers: headers[0] },
      { message: { a: 2 }, headers: headers[1] },
    ]);
    expect(await query(`select from pgmq.read('tasks', 1, 10)`)).toHaveLength(visible);
  });

  it('is read in the order of sending, at most as many as requested, and by its content', async () => {
    await client.query(
      `select pgmq.send_batch('tasks', array(select jsonb_build_object('n', n, 'odd', n % 2 = 1) from generate_series(1, 9) n))`,
    );
    const ids = async (call: string) =>
      (await query(`select msg_id from pgmq.${call}`)).map(({ msg_id }) => msg_id);
    expect(await ids(`read('tasks', 60, 2)`)).toEqual(['1', '2']);
    expect(await ids(`read('tasks', 60, 2, '{"odd": true}')`)).toEqual(['3', '5']);
    expect(await ids(`read(queue_name => 'tasks', vt => 60, qty => 2, conditional => '{}')`)).toEqual([
      '4',
      '6',
    ]);
    expect(await ids(`read_with_poll('tasks', 60, 1, 0, 10, '{"n": 9}')`)).toEqual(['9']);
    expect(await ids(`pop('tasks')`)).toEqual(['7']);
    expect(await ids(`read_with_poll('tasks', vt => 60, qty => 5)`)).toEqual(['8']);
  });

  it('is deleted, archived or popped once', async () => {
    await client.query(
      `select pgmq.send('tasks', to_jsonb(n), '{"h": 1}'::jsonb) from generate_series(1, 9) n`,
    );
    const [calls] = await query(`select
      pgmq.delete('tasks', 1) as "delete", pgmq.delete('tasks', 1) as "delete again",
      array(select pgmq.delete('tasks', array[2, 3, 3, 99])) as "delete several",
      pgmq.archive('tasks', 4) as archive, pgmq.archive('tasks', 4) as "archive again",
      array(select pgmq.archive('tasks', array[5, 6, 99])) as "archive several",
      (select message from pgmq.pop('tasks')) as pop`);
    expect(calls).toEqual({
      delete: true,
      'delete again': false,
      'delete several': ['2', '3'],
      archive: true,
      'archive again': false,
      'archive several': ['5', '6'],
      pop: 7,
    });
    expect(await query('select msg_id from pgmq.q_tasks order by 1')).toEqual([
      { msg_id: '8' },
      { msg_id: '9' },
    ]);
    expect(
      await query(
        'select msg_id, message, headers, archived_at is not null as at from pgmq.a_tasks order by 1',
      ),
    ).toEqual([4, 5, 6].map((n) => ({ msg_id: String(n), message: n, headers: { h: 1 }, at: true })));
    expect(await query(`select * from pgmq.set_vt('tasks', 99, 1)`)).toEqual([]);
    await client.query(`select pgmq.delete('tasks', array[8, 9])`);
    expect(await query(`select * from pgmq.pop('tasks')`)).toEqual([]);
  });
});

describe('a queue', () => {
  it('has the tables of pgmq', async () => {
    await client.query(`select pgmq.create('Tasks')`);
    const columns = (table: string) =>
      query(`select concat_ws(' ', attname, format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
          nullif(attidentity, ''), pg_get_expr(adbin, adrelid)) as column
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = '${table}'::regclass and attnum > 0 order by attnum`);
    const common = [
      { column: 'read_ct integer not null 0' },
      { column: 'enqueued_at timestamp with time zone not null now()' },
    ];
    const last = [
      { column: 'vt timestamp with time zone not null' },
      { column: 'message jsonb' },
      { column: 'headers jsonb' },
    ];
    expect(await columns('pgmq.q_tasks')).toEqual([
      { column: 'msg_id bigint not null a' },
      ...common,
      ...last,
    ]);
    expect(await columns('pgmq.a_tasks')).toEqual([
      { column: 'msg_id bigint not null' },
      ...common,
      { column: 'archived_at timestamp with time zone not null now()' },
      ...last,
    ]);
    expect(
      await query(
        `select indexdef as index from pg_indexes where schemaname = 'pgmq' and tablename like '_\\_tasks' order by 1`,
      ),
    ).toEqual([
      { index: 'CREATE INDEX "archived_at_idx_Tasks" ON pgmq.a_tasks USING btree (archived_at)' },
      { index: 'CREATE INDEX q_tasks_vt_idx ON pgmq.q_tasks USING btree (vt)' },
      { index: 'CREATE UNIQUE INDEX a_tasks_pkey ON pgmq.a_tasks USING btree (msg_id)' },
      { index: 'CREATE UNIQUE INDEX q_tasks_pkey ON pgmq.q_tasks USING btree (msg_id)' },
    ]);
  });

  it.each([
    'Tasks',
    'with space',
    'hyphen-ed',
    'quote"d',
    'dot.ted',
    '%I',
    'select',
    'ü🔑',
    'q'.repeat(47),
    'x" (id int)',
  ])('may have the name %j', async (name) => {
    const calls = [
      'select pgmq.create($1)',
      `select pgmq.send($1, '1'), pgmq.send_batch($1, array['2', '3', '4']::jsonb[])`,
      'select * from pgmq.read($1, 0, 1)',
      'select * from pgmq.read_with_poll($1, 0, 1)',
      'select * from pgmq.set_vt($1, 2, 0)',
      'select pgmq.archive($1, 2), pgmq.delete($1, 3)',
      'select * from pgmq.pop($1)',
      'select pgmq.detach_archive($1)',
    ];
    for (const text of calls) await client.query(text, [name]);
    const { rows } = await client.query('select * from pgmq.metrics($1)', [name]);
    expect(rows).toEqual([
      {
        queue_name: name,
        queue_length: '1',
        newest_msg_age_sec: 0,
        oldest_msg_age_sec: 0,
        total_messages: '4',
        scrape_time: expect.any(Date),
        queue_visible_length: '1',
      },
    ]);
    const purged = await client.query(
      'select pgmq.purge_queue($1) as purged, pgmq.drop_queue($1) as dropped',
      [name],
    );
    expect(purged.rows).toEqual([{ purged: '1', dropped: true }]);
    expect(
      await query(
        `select relname from pg_class where relnamespace = 'pgmq'::regnamespace and relname ~ '^[aq]_'`,
      ),
    ).toEqual([]);
  });

  it.each([
    ['a$b', 'queue name contains invalid characters'],
    ['a; drop table pgmq.meta', 'queue name contains invalid characters'],
    ['a--b', 'queue name contains invalid characters'],
    [`a'b`, 'queue name contains invalid characters'],
    ['', 'queue name is missing'],
    [null, 'queue name is missing'],
    ['q'.repeat(48), 'queue name is too long, maximum length is 47 characters'],
    // PostgreSQL would cut off its 60 bytes, so that several names would be names of one queue.
    ['ü'.repeat(30), 'queue name is too long, maximum length is 47 characters'],
  ])('with the name %j is refused: %s', async (name, message) => {
    for (const text of ['create', 'create_unlogged']) {
      await client.query('savepoint before');
      await expect(client.query(`select pgmq.${text}($1)`, [name])).rejects.toMatchObject({
        code: 'P0001',
        message: expect.stringContaining(message),
      });
      await client.query('rollback to before');
    }
  });

  it.each([
    `pgmq.send('missing', '{}')`,
    `pgmq.read('missing', 1, 1)`,
    `pgmq.delete('missing', 1)`,
    `pgmq.metrics('missing')`,
    `pgmq.detach_archive('missing')`,
  ])('that does not exist is reported by %s', async (call) => {
    await expect(client.query(`select ${call}`)).rejects.toMatchObject({
      code: '42P01',
      message: expect.stringMatching(/relation "pgmq\.[aq]_missing(_msg_id_seq)?" does not exist/),
    });
  });

  it('is listed, measured and dropped', async () => {
    await client.query(`select pgmq.create('tasks'), pgmq.create_unlogged('quick'), pgmq.create('Tasks')`);
    expect(await query('select * from pgmq.list_queues() order by queue_name collate "C"')).toEqual(
      ['Tasks', 'quick', 'tasks'].map((queue_name) => ({
        queue_name,
        is_partitioned: false,
        is_unlogged: queue_name === 'quick',
        created_at: expect.any(Date),
      })),
    );
    expect(
      await query(
        `select relname, relpersistence from pg_class where relname in ('q_quick', 'a_quick') order by 1`,
      ),
    ).toEqual([
      { relname: 'a_quick', relpersistence: 'p' },
      { relname: 'q_quick', relpersistence: 'u' },
    ]);
    await client.query(`select pgmq.send('quick', '1'), pgmq.send('quick', '2', 300)`);
    expect(
      await query(
        'select queue_name, queue_length, total_messages, queue_visible_length from pgmq.metrics_all() where queue_length > 0',
      ),
    ).toEqual([{ queue_name: 'quick', queue_length: '2', total_messages: '2', queue_visible_length: '1' }]);
    expect(
      await query(`select pgmq.drop_queue('tasks') as dropped, pgmq.drop_queue('quick', false) as other`),
    ).toEqual([{ dropped: true, other: true }]);
    expect(await query('select * from pgmq.list_queues()')).toEqual([]);
    notices = [];
    expect(await query(`select pgmq.drop_queue('tasks') as dropped`)).toEqual([{ dropped: false }]);
    expect(notices).toEqual(['pgmq queue `tasks` does not exist']);
  });

  it('keeps its messages and rights when it is created again', async () => {
    await client.query(`select pgmq.create('tasks'), pgmq.send('tasks', '1');
      alter table pgmq.q_tasks enable row level security; grant select on pgmq.q_tasks to anon;
      select pgmq.create('tasks'), pgmq.create_unlogged('tasks'), pgmq.create_non_partitioned('tasks')`);
    expect(
      await query(`select message, has_table_privilege('anon', 'pgmq.q_tasks', 'select') as granted,
        (select relrowsecurity from pg_class where oid = 'pgmq.q_tasks'::regclass) as rls from pgmq.q_tasks`),
    ).toEqual([{ message: 1, granted: true, rls: true }]);
    expect(notices).toEqual([]);
  });

  it('gets the column of headers if its tables are those of pgmq 1.4', async () => {
    await client.query(`
      create table pgmq.q_tasks (msg_id bigint generated always as identity primary key, read_ct int not null default 0,
        enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb);
      create table pgmq.a_tasks (msg_id bigint not null primary key, read_ct int not null default 0,
        enqueued_at timestamptz not null default now(), archived_at timestamptz not null default now(),
        vt timestamptz not null, message jsonb);
      insert into pgmq.q_tasks (vt, message) values (now(), '1');
      select pgmq.create('tasks')`);
    expect(await query(`select message, headers from pgmq.read('tasks', 0, 1)`)).toEqual([
      { message: 1, headers: null },
    ]);
    await client.query(
      `select pgmq.send('tasks', '2', '{"h": 1}'::jsonb), pgmq.archive('tasks', array[1, 2])`,
    );
    expect(await query('select headers from pgmq.a_tasks order by msg_id')).toEqual([
      { headers: null },
      { headers: { h: 1 } },
    ]);
  });

  it.each([
    `create_partitioned('tasks')`,
    `create_partitioned('tasks', '1 day', '7 days')`,
    `convert_archive_partitioned('tasks')`,
  ])('with partitions is refused: %s', async (call) => {
    await expect(client.query(`select pgmq.${call}`)).rejects.toMatchObject({
      code: '0A000',
      message: 'partitioned queues are not available',
      hint: expect.stringContaining('pgmq.create'),
    });
  });
});

describe('several connections', () => {
  const MESSAGES = 500;

  it.each([
    ['read', `select msg_id from pgmq.read('tasks', 600, 3)`],
    ['pop', `select msg_id from pgmq.pop('tasks')`],
  ])('never %s the same message', async (_, text) => {
    await withQueue(8, async (readers) => {
      await client.query(`select pgmq.send('tasks', to_jsonb(n)) from generate_series(1, ${MESSAGES}) n`);
      const taken = await Promise.all(
        readers.map(async (reader) => {
          const ids: unknown[] = [];
          for (;;) {
            const rows = await query(text, reader);
            if (rows.length === 0) return ids;
            ids.push(...rows.map(({ msg_id }) => msg_id));
          }
        }),
      );
      const all = taken.flat();
      expect(new Set(all).size).toBe(all.length);
      // A reader that finds only locked rows ends early, so some messages may be left.
      const rest = await query(`select msg_id from pgmq.read('tasks', 600, ${MESSAGES})`);
      expect(all.length + rest.length).toBe(MESSAGES);
      expect(taken.filter((ids) => ids.length > 0).length).toBeGreaterThan(1);
    });
  });

  it('skip messages that an open transaction has read', async () => {
    await withQueue(2, async ([one, other = one]) => {
      await one.query(`select pgmq.send('tasks', '1'), pgmq.send('tasks', '2')`);
      await one.query(`begin; select pgmq.read('tasks', 0, 1)`);
      expect(await query(`select message from pgmq.read('tasks', 0, 5)`, other)).toEqual([{ message: 2 }]);
      await one.query('rollback');
      expect(await query(`select message, read_ct from pgmq.read('tasks', 0, 1)`, other)).toEqual([
        { message: 1, read_ct: 1 },
      ]);
    });
  });

  it('create the same queue at the same time', async () => {
    await withQueue(6, async (clients) => {
      await Promise.all(
        clients.map((each) => each.query(`select pgmq.create('Together'), pgmq.create('tasks')`)),
      );
      expect(await query(`select pgmq.drop_queue('together') as dropped`)).toEqual([{ dropped: true }]);
    });
  });

  it('use a queue while one of them polls it or reads it in a transaction', async () => {
    await withQueue(3, async ([poller, reader = poller, other = poller]) => {
      await other.query(
        `set lock_timeout = '10s'; select pgmq.create('signals'), pgmq.send('tasks', '{"for": "reader"}')`,
      );
      const polled = query(
        `select message from pgmq.read_with_poll('tasks', 60, 1, 60, 10, '{"for": "poller"}')`,
        poller,
      );
      await reader.query(`begin; select pgmq.read('tasks', 60, 1)`);
      await other.query(`select pgmq.create('tasks'), pgmq.send('tasks', '{"for": "other"}')`);
      expect(await query(`select message from pgmq.read('tasks', 60, 5)`, other)).toEqual([
        { message: { for: 'other' } },
      ]);
      await other.query(`select pgmq.send('tasks', '{"for": "poller"}')`);
      expect(await polled).toEqual([{ message: { for: 'poller' } }]);
      await reader.query('rollback');
      await other.query(`select pgmq.drop_queue('signals')`);
    });
  });

  it('poll until the end of their time', async () => {
    await client.query(`select pgmq.create('tasks')`);
    expect(
      await query(`select (select count(*)::int from pgmq.read_with_poll('tasks', 1, 1, 1, 50)) as count,
        clock_timestamp() - statement_timestamp() >= '1 s' as waited`),
    ).toEqual([{ count: 0, waited: true }]);
  });
});

describe('a queue with many messages', () => {
  const MANY = 50_000;
  const send = (vt: string) =>
    client.query(`select pgmq.create_unlogged('many');
      insert into pgmq.q_many (vt, message) select ${vt}, to_jsonb(n) from generate_series(1, ${MANY}) n`);

  /** Rows of the queue that the transaction has read, by scans of the table and of indexes. */
  const reads = async () =>
    (
      await query(`select seq_tup_read::int as scanned, idx_tup_fetch::int as fetched
      from pg_stat_xact_user_tables where relname = 'q_many'`)
    )[0] as { scanned: number; fetched: number };

  it.each([
    ['the first of which are visible', `now() - '1 s'::interval`, 10],
    [
      'few of which are visible',
      `now() + case when n > ${MANY - 5} then '-1 s' else '1 day' end::interval`,
      5,
    ],
  ])('%s is read by an index', async (_, vt, count) => {
    await send(vt);
    await client.query('analyze pgmq.q_many');
    const before = await reads();
    expect(await query(`select * from pgmq.read('many', 60, 10)`)).toHaveLength(count);
    const after = await reads();
    expect(after.scanned).toBe(before.scanned);
    expect(after.fetched - before.fetched).toBeLessThan(100);
  });
});
