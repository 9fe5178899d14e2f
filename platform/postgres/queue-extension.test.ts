/** The extension pgmq: its rights and versions, and the placeholder of earlier versions. */
import { readFile } from 'node:fs/promises';
import { createTestDatabase, lastRows, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// Each test runs in a transaction, so the next one finds no extension.
beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

const query = (sql: string, on = client) => lastRows(on, sql);

/** Functions and operators in the schema of the extension that would be called instead of those of PostgreSQL. */
const IMPOSTORS = `
  create schema pgmq;
  create function pgmq.report() returns boolean language plpgsql as $$
  begin
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then raise exception 'called as superuser'; end if;
    return true;
  end $$;
  create function pgmq.format(text, text) returns text language sql as 'select null::text where pgmq.report()';
  create function pgmq.format(text, text, text, regrole) returns text language sql as 'select null::text where pgmq.report()';
  create function pgmq.pg_extension_config_dump(text, text) returns void language sql as 'select pgmq.report()';
  create function pgmq.equal(name, text) returns boolean language sql as 'select pgmq.report()';
  create operator pgmq.= (function = pgmq.equal, leftarg = name, rightarg = text);
  create function pgmq.equal(oid, regclass) returns boolean language sql as 'select pgmq.report()';
  create operator pgmq.= (function = pgmq.equal, leftarg = oid, rightarg = regclass)`;

describe('rights', () => {
  it('of postgres are those of an owner', async () => {
    expect(
      await query(`create extension pgmq;
        select array_agg(distinct proowner::regrole::text) as functions, bool_or(prosecdef) as definer,
          (select array_agg(distinct relowner::regrole::text) from pg_class where relnamespace = 'pgmq'::regnamespace and relkind in ('r', 'c')) as tables
        from pg_proc where pronamespace = 'pgmq'::regnamespace`),
    ).toEqual([{ functions: ['postgres'], definer: false, tables: ['postgres'] }]);
    await client.query(`
      select pgmq.create('tasks');
      grant usage on schema pgmq to service_role;
      grant execute on all functions in schema pgmq to service_role;
      grant execute on function pgmq.read(text, integer, integer), pgmq.read(text, integer, integer, jsonb),
        pgmq.send(text, jsonb, integer), pgmq.send(text, jsonb, jsonb, timestamptz), pgmq.format_table_name(text, text),
        pgmq.read_with_poll(text, integer, integer, integer, integer, jsonb), pgmq.drop_queue(text, boolean) to service_role;
      grant all on all tables in schema pgmq to service_role;
      grant all on all sequences in schema pgmq to service_role with grant option;
      set local role service_role;
      select pgmq.send('tasks', '1'), pgmq.metrics_all();
      select pgmq.archive('tasks', 1);
      select pgmq.purge_queue('tasks')`);
  });

  it.each(['anon', 'authenticated', 'service_role'])('of %s have to be granted', async (role) => {
    await client.query(`create extension pgmq; select pgmq.create('tasks'); savepoint before`);
    const refusals: [string, string][] = [
      ['', 'permission denied for schema pgmq'],
      [`grant usage on schema pgmq to ${role}`, 'permission denied for table q_tasks'],
    ];
    for (const [grant, message] of refusals) {
      for (const call of [
        `send('tasks', '1')`,
        `read('tasks', 1, 1)`,
        `pop('tasks')`,
        `delete('tasks', 1)`,
      ]) {
        await client.query(`${grant}; set local role ${role}`);
        await expect(client.query(`select pgmq.${call}`)).rejects.toMatchObject({ code: '42501', message });
        await client.query('rollback to before');
      }
    }
    await client.query(`grant usage on schema pgmq to ${role}; set local role ${role}`);
    await expect(client.query(`select pgmq.create('own')`)).rejects.toMatchObject({ code: '42501' });
  });

  it('on the messages of a queue are those of its policies', async () => {
    await client.query(`
      create extension pgmq;
      select pgmq.create('tasks');
      alter table pgmq.q_tasks enable row level security;
      create policy own on pgmq.q_tasks to authenticated using (message ->> 'for' = current_setting('test.customer'));
      grant usage on schema pgmq to authenticated;
      grant select, insert, update, delete on pgmq.q_tasks to authenticated;
      set local role authenticated;
      set local test.customer = 'ada';
      select pgmq.send('tasks', '{"for": "ada"}');
      set local test.customer = 'ben'`);
    expect(await query(`select * from pgmq.read('tasks', 0, 5)`)).toEqual([]);
    expect(await query(`select pgmq.delete('tasks', 1) as deleted`)).toEqual([{ deleted: false }]);
    expect(
      await query(`set local test.customer = 'ada'; select message from pgmq.read('tasks', 0, 5)`),
    ).toEqual([{ message: { for: 'ada' } }]);
    await expect(client.query(`select pgmq.send('tasks', '{"for": "ben"}')`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('of pg_monitor permit to read queues', async () => {
    await client.query(`create extension pgmq; select pgmq.create('tasks'); set local role pg_monitor`);
    expect(await query('select queue_name, queue_length from pgmq.metrics_all()')).toEqual([
      { queue_name: 'tasks', queue_length: '0' },
    ]);
  });
});

describe('the extension', () => {
  it.each(['1.4.4', '1.4.5', '1.5.0', '1.5.1'])(
    'is created with version %s, and updated',
    async (version) => {
      await client.query(
        `create schema if not exists "pgmq"; create extension if not exists "pgmq" with schema "pgmq" version '${version}'`,
      );
      expect(await query(`select extversion from pg_extension where extname = 'pgmq'`)).toEqual([
        { extversion: version },
      ]);
      expect(
        await query(
          `alter extension pgmq update; select pgmq.create('tasks'); select pgmq.send('tasks', '1'); select message from pgmq.pop('tasks')`,
        ),
      ).toEqual([{ message: 1 }]);
    },
  );

  it('keeps the queues when it is dropped and created again', async () => {
    await client.query(`
      create extension pgmq;
      create function public.first_task() returns pgmq.message_record language sql as 'select null::pgmq.message_record';
      select pgmq.create('tasks'), pgmq.create('other');
      select pgmq.send('tasks', '1');
      drop extension if exists pgmq cascade;
      create schema if not exists pgmq;
      create extension if not exists pgmq with schema pgmq;
      select pgmq.create('tasks')`);
    expect(await query(`select message from pgmq.read('tasks', 1, 1)`)).toEqual([{ message: 1 }]);
    expect(await query('select queue_name from pgmq.list_queues()')).toEqual([{ queue_name: 'tasks' }]);
    expect(await query(`select pgmq.drop_queue('other') as dropped`)).toEqual([{ dropped: true }]);
  });

  it('calls no function of the project as superuser', async () => {
    await client.query(`${IMPOSTORS}; create extension pgmq; alter extension pgmq update to '1.4.4'`);
  });

  it('replaces no function of the project', async () => {
    await client.query(
      `create schema pgmq; create function pgmq.send(queue_name text, msg jsonb) returns setof bigint language sql as 'select 1'`,
    );
    await expect(client.query('create extension pgmq')).rejects.toMatchObject({
      message: expect.stringContaining('is not a member of extension "pgmq"'),
    });
  });
});

/** The objects of the placeholder of earlier versions, as members of the extension, with a version that a project has named. */
const PLACEHOLDER_FUNCTIONS = [
  'create_non_partitioned(queue_name text, is_unlogged boolean default false) returns void',
  'create(queue_name text) returns void',
  'create_unlogged(queue_name text) returns void',
  'drop_queue(queue_name text) returns boolean',
  'list_queues() returns setof pgmq.queue_record',
  "create_partitioned(queue_name text, partition_interval text default '10000', retention_interval text default '100000') returns void",
  'purge_queue(queue_name text) returns bigint',
  'send(queue_name text, msg jsonb) returns setof bigint',
  'send(queue_name text, msg jsonb, delay int) returns setof bigint',
  'send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint',
  'send_batch(queue_name text, msgs jsonb[]) returns setof bigint',
  'send_batch(queue_name text, msgs jsonb[], delay int) returns setof bigint',
  "read(queue_name text, vt int, qty int, conditional jsonb default '{}') returns setof pgmq.message_record",
  "read_with_poll(queue_name text, vt int, qty int, max_poll_seconds int default 5, poll_interval_ms int default 100, conditional jsonb default '{}') returns setof pgmq.message_record",
  'pop(queue_name text) returns setof pgmq.message_record',
  'set_vt(queue_name text, msg_id bigint, vt int) returns setof pgmq.message_record',
  'delete(queue_name text, msg_id bigint) returns boolean',
  'delete(queue_name text, msg_ids bigint[]) returns setof bigint',
  'archive(queue_name text, msg_id bigint) returns boolean',
  'archive(queue_name text, msg_ids bigint[]) returns setof bigint',
];
const PLACEHOLDER = `
  set local session authorization postgres;
  create extension pgmq version '0';
  reset session authorization;
  alter extension pgmq drop type pgmq.metrics_result;
  drop type pgmq.metrics_result;
  grant all on pgmq.meta to postgres with grant option;
  ${PLACEHOLDER_FUNCTIONS.map((declaration) => `create function pgmq.${declaration} language plpgsql as $$ begin raise 'placeholder'; end $$;`).join('\n')}
  do $$
  declare called regprocedure;
  begin
    for called in select oid from pg_proc where pronamespace = 'pgmq'::regnamespace loop
      execute format('alter extension pgmq add function %s', called);
    end loop;
  end $$;
  update pg_extension set extversion = '1.4.4' where extname = 'pgmq';
  set local session authorization postgres;
  create table pgmq.q_tasks (msg_id bigint primary key generated always as identity, read_ct int not null default 0,
    enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb, headers jsonb);
  create table pgmq.a_tasks (msg_id bigint primary key, read_ct int not null default 0, enqueued_at timestamptz not null default now(),
    archived_at timestamptz not null default now(), vt timestamptz not null, message jsonb, headers jsonb);
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values ('Tasks', false, false), ('dropped', false, false)`;

describe('the placeholder of an earlier version', () => {
  it.each([
    ['', []],
    [
      `create view public.messages as select message from pgmq.read('Tasks', 0, 1);
       create view public.queues as select queue_name from pgmq.list_queues();
       create function public.make() returns void begin atomic select pgmq.create_non_partitioned('Made'); end;
       create function public.first_task() returns setof pgmq.message_record language sql begin atomic select * from pgmq.pop('tasks'); end`,
      [
        ['select * from public.messages', [{ message: 1 }]],
        ['select * from public.queues order by 1', [{ queue_name: 'Tasks' }, { queue_name: 'dropped' }]],
        [`select public.make(); select count(*)::int as count from pgmq.q_made`, [{ count: 0 }]],
        ['select message from public.first_task()', [{ message: 1 }]],
      ],
    ],
  ] as [string, [string, unknown[]][]][])(
    'becomes queues, and objects that depend on it stay: %s',
    async (dependents, reads) => {
      const former = await createTestDatabase();
      const admin = await openClient(former.url);
      try {
        await admin.query(
          `begin; ${PLACEHOLDER}; ${dependents}; reset session authorization; set local search_path = pg_catalog`,
        );
        await admin.query(await readFile(new URL('./migrations/0022_queues.sql', import.meta.url), 'utf8'));
        await admin.query(
          `set local search_path = public; set local role postgres; select pgmq.send('Tasks', '1')`,
        );
        for (const [read, rows] of reads) expect(await query(read, admin)).toEqual(rows);
        await admin.query(`select pgmq.send('tasks', '2'), pgmq.archive('tasks', 1), pgmq.create('new')`);
        expect(
          await query(
            `select indexname from pg_indexes where tablename in ('q_tasks', 'a_tasks') and indexname !~ 'pkey' order by 1`,
            admin,
          ),
        ).toEqual([{ indexname: 'archived_at_idx_Tasks' }, { indexname: 'q_tasks_vt_idx' }]);
        expect(
          await query(
            `select extversion, array(select proname::text from pg_proc where pronamespace = 'pgmq'::regnamespace
            and (proname ~ 'placeholder' or proowner <> 'postgres'::regrole) order by 1) as odd
          from pg_extension where extname = 'pgmq'`,
            admin,
          ),
        ).toEqual([
          { extversion: '1.5.1', odd: reads.length > 0 ? ['_placeholder_create', '_placeholder_read'] : [] },
        ]);
        await admin.query('drop extension pgmq cascade');
      } finally {
        await admin.end();
        await former.drop();
      }
    },
  );
});
