import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (text: string, ...values: unknown[]) =>
  database.admin.query<Record<string, unknown>>({ text, values });
const asRole = async (role: string, text: string) =>
  (
    await database.admin.batch([{ text: "select set_config('role', $1, true)", values: [role] }, { text }])
  )[1];
/** Returns partition names relative to a day. The day comes from PostgreSQL, because it may change during the test. */
const partitionsFrom = (day: string, ...ahead: number[]) =>
  ahead.map((days) => {
    const date = new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
    return `messages_${date.replaceAll('-', '_')}`;
  });
const PARTITIONS = `select relname, relrowsecurity from pg_class join pg_inherits on inhrelid = pg_class.oid
  where inhparent = 'realtime.messages'::regclass order by 1`;

describe('realtime.messages', () => {
  it('has a partition for each day from yesterday to three days ahead, under row-level security', async () => {
    const [migrated] = await run(
      `select timezone('utc', applied_at)::date::text as day from greenroom.migrations
        where service = 'realtime' and version = '0001_messages'`,
    );
    expect(await run(PARTITIONS)).toEqual(
      partitionsFrom(String(migrated?.day), -1, 0, 1, 2, 3).map((relname) => ({
        relname,
        relrowsecurity: true,
      })),
    );
  });

  it('drops partitions whose last row is older than 72 hours, and creates missing ones', async () => {
    // Within one transaction the day does not change.
    await database.admin.transaction(async (tx) => {
      const query = (text: string) => tx.query<Record<string, unknown>>({ text });
      // The owner of the partitions that maintain_messages creates.
      await query('set local role supabase_realtime_admin');
      const [now] = await query("select timezone('utc', now())::date::text as day");
      const names = (...ahead: number[]) => partitionsFrom(String(now?.day), ...ahead);
      for (const { relname } of await query(PARTITIONS)) await query(`drop table realtime.${relname}`);
      for (const name of names(-4, -3, -1, 0, 1, 2)) {
        const from = name.slice(9).replaceAll('_', '-');
        await query(`create table realtime.${name} partition of realtime.messages
          for values from ('${from}') to ('${from}'::date + 1)`);
      }
      await query('select realtime.maintain_messages()');
      expect((await query(PARTITIONS)).map(({ relname }) => relname)).toEqual(names(-3, -1, 0, 1, 2, 3));
      await query(`drop table realtime.${names(-3)[0]}`);
    });
  });

  it('is maintained by the service only', async () => {
    await expect(asRole('anon', 'select realtime.maintain_messages()')).rejects.toMatchObject({
      code: '42501',
    });
    await asRole('supabase_realtime_admin', 'select realtime.maintain_messages()');
  });

  it('accepts exactly one kind of payload', async () => {
    const both = `insert into realtime.messages (topic, extension, payload, binary_payload)
      values ('t', 'broadcast', '{}', '\\x00')`;
    await expect(run(both)).rejects.toMatchObject({ code: '23514' });
  });

  it.each(['anon', 'authenticated'])(
    'hides rows from %s and rejects their inserts without a policy',
    async (role) => {
      expect(await asRole(role, 'select * from realtime.messages')).toEqual([]);
      const insert = "insert into realtime.messages (topic, extension) values ('t', 'broadcast')";
      await expect(asRole(role, insert)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('stores UTC regardless of the time zone of the session', async () => {
    const [, rows] = await database.admin.batch([
      { text: "set local timezone = 'Pacific/Kiritimati'" },
      {
        text: `insert into realtime.messages (topic, extension) values ('zone', 'broadcast')
          returning inserted_at = timezone('utc', now()) as is_utc`,
      },
    ]);
    expect(rows).toEqual([{ is_utc: true }]);
  });
});

describe('the role of the service', () => {
  it('can switch to the roles of requests without inheriting their privileges', async () => {
    const rows = await run(
      `select rolname, pg_has_role('supabase_realtime_admin', oid, 'set') as can_be,
          pg_has_role('supabase_realtime_admin', oid, 'usage') as inherits
        from pg_roles where rolname in ('anon', 'authenticated', 'service_role') order by 1`,
    );
    expect(rows).toEqual(
      ['anon', 'authenticated', 'service_role'].map((rolname) => ({
        rolname,
        can_be: true,
        inherits: false,
      })),
    );
  });
});

describe('realtime.topic', () => {
  it.each([
    ['', null],
    ['room:1', 'room:1'],
  ])('returns the setting %j as %j', async (setting, topic) => {
    const [, rows] = await database.admin.batch([
      { text: "select set_config('realtime.topic', $1, true)", values: [setting] },
      { text: 'select realtime.topic()' },
    ]);
    expect(rows).toEqual([{ topic }]);
  });
});

describe('realtime.send', () => {
  const sent = (topic: string) =>
    run(
      'select payload, binary_payload, event, private, extension, id from realtime.messages where topic = $1',
      topic,
    );

  it('adds the id of the row to a payload without one', async () => {
    await run(`select realtime.send('{"a":1}', 'greeting', 'added')`);
    const [row] = await sent('added');
    expect(row).toMatchObject({
      event: 'greeting',
      private: true,
      extension: 'broadcast',
      binary_payload: null,
    });
    expect(row?.payload).toEqual({ a: 1, id: row?.id });
  });

  it.each([
    ['a payload that has an id', { id: 7 }],
    ['an array', [1]],
    ['a number', 3],
  ])('does not add an id to %s', async (name, payload) => {
    await run('select realtime.send($1, $2, $3, false)', JSON.stringify(payload), 'e', name);
    expect(await sent(name)).toMatchObject([{ payload, private: false }]);
  });

  it('sends bytes', async () => {
    await run(`select realtime.send_binary('\\x00ff', 'e', 'bytes')`);
    expect(await sent('bytes')).toMatchObject([
      { payload: null, binary_payload: Buffer.from([0, 255]), private: true },
    ]);
  });

  it.each(["realtime.send('{}', 'e', null)", "realtime.send_binary('', 'e', null)"])(
    'warns and continues the transaction for %s',
    async (call) => {
      const rows = await database.admin.batch([
        { text: 'create table if not exists survived (n int)' },
        { text: `select ${call}` },
        { text: "select to_regclass('survived') is not null as survived" },
      ]);
      expect(rows[2]).toEqual([{ survived: true }]);
    },
  );

  it('applies the policies of its caller, which can read the topic', async () => {
    await run(`create policy only_room on realtime.messages for insert to authenticated
      with check (realtime.topic() = 'room' and extension = 'broadcast')`);
    await asRole('authenticated', "select realtime.send('{}', 'e', 'room')");
    await asRole('authenticated', "select realtime.send('{}', 'e', 'elsewhere')");
    expect(await sent('room')).toHaveLength(1);
    expect(await sent('elsewhere')).toEqual([]);
  });
});

describe('realtime.broadcast_changes', () => {
  it('sends the rows of a trigger', async () => {
    await run('create table things (id int, name text)');
    await run(`create function tell() returns trigger language plpgsql as $$ begin
      perform realtime.broadcast_changes('things', tg_op, tg_op, tg_table_name, tg_table_schema, new, old); return null;
    end $$`);
    await run(
      'create trigger tell after insert or update or delete on things for each row execute function tell()',
    );
    await run("insert into things values (1, 'a')");
    await run("update things set name = 'b'");
    await run('delete from things');
    const rows = await run(
      "select payload - 'id' as payload, private from realtime.messages where topic = 'things'",
    );
    const same = { table: 'things', schema: 'public' };
    const [a, b] = ['a', 'b'].map((name) => ({ id: 1, name }));
    expect(rows.map(({ payload }) => payload)).toEqual([
      { ...same, operation: 'INSERT', record: a, old_record: null },
      { ...same, operation: 'UPDATE', record: b, old_record: a },
      { ...same, operation: 'DELETE', record: null, old_record: b },
    ]);
    expect(rows.every((row) => row.private)).toBe(true);
  });

  it.each([
    ["'TRUNCATE', 't', 's', null, null", 'Failed to process the row: Unexpected operation type: TRUNCATE'],
    [
      "'INSERT', 't', 's', null, null, 'STATEMENT'",
      'Failed to process the row: function can only be triggered for each row, not for each statement',
    ],
  ])('rejects %s', async (rest, message) => {
    await expect(run(`select realtime.broadcast_changes('topic', 'event', ${rest})`)).rejects.toThrow(
      message,
    );
  });
});

describe('the publications', () => {
  it('publish the tables of the project and the messages separately', async () => {
    const rows = await run(
      `select pubname, pubinsert, pubupdate, pubviaroot, pubgencols from pg_publication order by 1`,
    );
    expect(rows).toEqual([
      { pubname: 'supabase_realtime', pubinsert: true, pubupdate: true, pubviaroot: false, pubgencols: 's' },
      {
        pubname: 'supabase_realtime_messages_publication',
        pubinsert: true,
        pubupdate: false,
        pubviaroot: true,
        pubgencols: 's',
      },
    ]);
  });
});
