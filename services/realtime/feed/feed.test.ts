import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Identity, MessageRow } from './feed.ts';
import { openFeed } from './open-feed.ts';
import { ANON, SERVICE, subscribeTo, type TestChannel, TestFeed, userIdentity } from './testing/test-feed.ts';

const ANN = userIdentity('00000000-0000-4000-8000-00000000000a');
const BOB = userIdentity('00000000-0000-4000-8000-00000000000b');

let test: TestFeed;
let channels: TestChannel[] = [];
beforeAll(async () => {
  test = await TestFeed.open(
    `
    create table marks (id int primary key);
    create table plain (id int primary key, v text, n int);
    create table own (id int primary key, owner uuid, v text);
    alter table own enable row level security;
    create policy own on own to authenticated using (owner = auth.uid());
    alter publication supabase_realtime add table marks, plain, own;
  `,
    { statementTimeoutMs: 2000 },
  );
});
afterAll(() => test.close());
afterEach(async () => {
  for (const channel of channels) channel.close();
  channels = [];
});

/** Subscribes a channel that is closed after the test. */
async function subscribe(
  entries: readonly Record<string, unknown>[],
  identity: Identity = SERVICE,
): Promise<TestChannel> {
  const channel = await test.subscribe(entries, identity);
  channels.push(channel);
  return channel;
}

let mark = 0;
/**
 * Runs statements and returns the changes that each channel received. A final change, visible to all, marks the end.
 */
async function changesOf(sql: string, ...identities: Identity[]) {
  const subscribing = await Promise.all(
    (identities.length === 0 ? [SERVICE] : identities).map((identity) =>
      subscribe([{ schema: 'public' }], identity),
    ),
  );
  await test.run(sql);
  mark += 1;
  await test.run(`insert into marks values (${mark})`);
  return Promise.all(
    subscribing.map(async (channel) => {
      for (let count = 1; ; count += 1) {
        const changes = await channel.waitForChanges(count);
        if (changes.some(({ table, record }) => table === 'marks' && record?.id === mark)) {
          return changes.filter(({ table }) => table !== 'marks');
        }
      }
    }),
  );
}

describe('a change', () => {
  it('is delivered with its columns and values in commit order', async () => {
    const [changes] = await changesOf(
      "insert into plain values (1, 'a', 1); update plain set v = 'b'; delete from plain",
    );
    const same = {
      schema: 'public',
      table: 'plain',
      commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      columns: [
        { name: 'id', type: 'int4' },
        { name: 'v', type: 'text' },
        { name: 'n', type: 'int4' },
      ],
      errors: null,
    };
    // The row was already deleted at the check, which does not matter without row-level security.
    expect(changes).toEqual([
      { ...same, type: 'INSERT', record: { id: 1, v: 'a', n: 1 } },
      { ...same, type: 'UPDATE', record: { id: 1, v: 'b', n: 1 }, old_record: { id: 1 } },
      { ...same, type: 'DELETE', old_record: { id: 1 } },
    ]);
  });

  it('has the time of its commit', async () => {
    const before = Date.now();
    const [changes] = await changesOf("insert into plain values (2, 'a', 1)");
    const time = Date.parse(changes?.[0]?.commit_timestamp ?? '');
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('has the values of to_jsonb, except bytea without its prefix', async () => {
    await test.run(`
      create type mood as enum ('so so', 'fine');
      create domain even as int check (value % 2 = 0);
      create type pair as (a int, b text);
      create table kinds (
        id int primary key, b bool, i2 int2, i8 int8, n numeric, n2 numeric, f4 float4, f8 float8, f8b float8,
        t text, vc varchar(9), c char(4), na name, u uuid, j json, jb jsonb, by bytea,
        d date, d2 date, ts timestamp, tz timestamptz, tz2 timestamptz, ti time, tt timetz, iv interval,
        ia int[], ta text[], tza timestamptz[], m mood, e even, p pair, r int4range, inet inet, bits bit(3), o oid,
        mo money, x xml, nothing text, ma mood[], g int generated always as (i2 * 2) stored
      );
      alter publication supabase_realtime add table kinds`);
    const [changes] = await changesOf(`insert into kinds values (
      1, true, -7, 9223372036854775807, 123456789012345678901234567890.10, 'NaN', 1.5, 1e20, 'Infinity',
      'a "quoted" \\ text' || chr(10) || '\u{1F600}', 'v', 'c', 'name', '5f0e2a8c-0000-4000-8000-000000000001',
      '{"b": [1, 2.50], "a": null, "b": 3}', '{"z": 1.10, "a": "x"}', '\\x00ff',
      '2026-02-03', 'infinity', '2026-02-03 04:05:06.789', '2026-02-03 04:05:06+02', '0044-03-15 12:00:00+00 BC',
      '04:05:06.5', '04:05:06+02', '1 year -2 days 03:04:05',
      '{1,null,3}', '{"a,b",null}', '{2026-02-03 04:05:06+02}', 'so so', 4, '(1,"x y")', '[1,5)', '10.0.0.1/8', '101',
      42, 12.5, '<a/>', null, '{fine,"so so"}')`);
    const [expected] = await test.database.admin.query<{ row: string }>({
      text: `select jsonb_set(to_jsonb(k), '{by}', '"00ff"')::text as row from kinds k`,
    });
    expect(changes?.[0]?.record).toEqual(JSON.parse(expected?.row ?? ''));
    expect(changes?.[0]?.columns.map(({ type }) => type)).toEqual(
      [
        'int4 bool int2 int8 numeric numeric float4 float8 float8 text varchar bpchar name uuid json jsonb bytea date',
      ]
        .concat(
          'date timestamp timestamptz timestamptz time timetz interval _int4 _text _timestamptz mood even pair',
        )
        .concat('int4range inet bit oid money xml text _mood int4')
        .join(' ')
        .split(' '),
    );
  });

  it('has numbers as PostgreSQL writes them, also beyond the precision of JavaScript', async () => {
    const channel = await subscribe([{ table: 'kinds' }]);
    await test.run('insert into kinds (id, i8, n) values (2, 9007199254740993, 0.30000000000000000001)');
    await channel.waitForChanges(1);
    expect(channel.deliveries[0]?.data).toContain('"i8":9007199254740993,"n":0.30000000000000000001,');
  });

  it.each([
    ['the default', '', { id: 1 }, { id: 1 }],
    [
      'FULL',
      'alter table identity_of replica identity full',
      { id: 1, k: 7, v: 'a' },
      { id: 1, k: 7, v: 'b' },
    ],
    ['an index', 'alter table identity_of replica identity using index identity_k', { k: 7 }, { k: 7 }],
  ])('contains the old row with the columns of the replica identity %s', async (_, sql, updated, deleted) => {
    await test.run(`
      create table identity_of (id int primary key, k int not null, v text);
      create unique index identity_k on identity_of (k);
      ${sql};
      alter publication supabase_realtime add table identity_of`);
    const [changes] = await changesOf(
      "insert into identity_of values (1, 7, 'a'); update identity_of set v = 'b'; delete from identity_of",
    );
    expect(changes?.map(({ old_record }) => old_record)).toEqual([undefined, updated, deleted]);
    await test.run('drop table identity_of');
  });

  it('has the old key if the key has changed', async () => {
    const [changes] = await changesOf(
      "insert into plain values (10, 'a', 1); update plain set id = 11 where id = 10",
    );
    expect(changes?.[1]).toMatchObject({ record: { id: 11 }, old_record: { id: 10 } });
  });

  it.each([
    ['omits an unchanged TOAST value', '', false],
    ['contains an unchanged TOAST value of the old row', 'alter table toasted replica identity full', true],
  ])('%s', async (_, sql, exists) => {
    await test.run(`create table toasted (id int primary key, big text, n int); ${sql};
      alter table toasted alter big set storage external; alter publication supabase_realtime add table toasted`);
    const [changes] = await changesOf(
      "insert into toasted values (1, repeat('x', 10000), 1); update toasted set n = 2",
    );
    expect('big' in (changes?.[1]?.record ?? {})).toBe(exists);
    expect(changes?.[1]?.record).toMatchObject({ id: 1, n: 2 });
    await test.run('drop table toasted');
  });

  it('is delivered for a table with generated columns under REPLICA IDENTITY FULL', async () => {
    await test.run(`create table made (id int primary key, twice int generated always as (id * 2) stored);
      alter table made replica identity full; alter publication supabase_realtime add table made`);
    const [changes] = await changesOf('insert into made values (1); update made set id = 2');
    expect(changes?.[1]).toMatchObject({ record: { id: 2, twice: 4 }, old_record: { id: 1, twice: 2 } });
  });

  it('has the name of its partition', async () => {
    await test.run(`create table parts (id int primary key) partition by range (id);
      create table parts_1 partition of parts for values from (0) to (10);
      alter publication supabase_realtime add table parts`);
    const [changes] = await changesOf('insert into parts values (1)');
    expect(changes).toMatchObject([{ table: 'parts_1', record: { id: 1 } }]);
  });

  it('is delivered with the definition of the table at its time', async () => {
    const [changes] = await changesOf(`insert into plain values (20, 'a', 1); alter table plain rename n to m;
      alter table plain add extra bool default true; update plain set v = 'b' where id = 20`);
    // Columns whose definition has changed are not delivered.
    expect(changes?.map(({ record }) => record)).toEqual([
      { id: 20, v: 'a' },
      { id: 20, v: 'b', m: 1, extra: true },
    ]);
    await test.run('alter table plain rename m to n; alter table plain drop extra');
  });

  it('is withheld if its table was renamed', async () => {
    await test.run(`create table swap (id int primary key, secret text);
      create table swap_new (id int primary key, secret text); insert into swap_new values (1, 'x');
      alter publication supabase_realtime add table swap, swap_new`);
    const [changes] = await changesOf(`insert into swap values (1, 'hidden');
      alter table swap rename to swap_old; alter table swap_new rename to swap`);
    expect(changes).toEqual([]);
  });

  it('above a mebibyte is delivered without its large values', async () => {
    const [changes] = await changesOf(
      "insert into plain values (30, repeat('x', 1048577), 5); update plain set n = 6, v = 'small' where id = 30",
    );
    expect(changes).toMatchObject([
      { record: { id: 30, n: 5 }, errors: ['Error 413: Payload Too Large'] },
      { record: { id: 30, n: 6, v: 'small' }, errors: null },
    ]);
    expect(changes?.[0]?.record).not.toHaveProperty('v');
  });

  it('of a table without a primary key is delivered without values', async () => {
    await test.run('create table keyless (v text); alter publication supabase_realtime add table keyless');
    const [changes] = await changesOf("insert into keyless values ('a')");
    expect(changes).toEqual([
      {
        type: 'INSERT',
        schema: 'public',
        table: 'keyless',
        columns: [],
        record: {},
        commit_timestamp: null,
        errors: ['Error 400: Bad Request, no primary key'],
      },
    ]);
  });

  it('by TRUNCATE is not delivered', async () => {
    const [changes] = await changesOf('truncate plain');
    expect(changes).toEqual([]);
  });
});

describe('a channel', () => {
  it('receives a change once, with all matching ids', async () => {
    const channel = await subscribe([
      { event: 'INSERT', schema: 'public', table: 'plain' },
      { event: 'update', schema: 'public', table: 'plain' },
      { schema: '*', table: 'plain' },
      { schema: 'public', table: 'plain', filter: 'id=eq.41' },
      { schema: 'public', table: 'own' },
    ]);
    await test.run(
      "insert into plain values (40, 'a', 1), (41, 'b', 1); update plain set n = 2 where id = 41",
    );
    await channel.waitForChanges(3);
    expect(channel.deliveries.map(({ ids }) => ids)).toEqual(
      [
        [1, 3],
        [1, 4, 3],
        [2, 4, 3],
      ].map((ids) => expect.arrayContaining(ids)),
    );
    expect(channel.deliveries.map(({ ids }) => ids.length)).toEqual([2, 3, 3]);
  });

  it('receives only the selected columns and the primary key', async () => {
    const channel = await subscribe([
      { schema: 'public', table: 'plain', select: ['n'] },
      { schema: 'public', table: 'plain', select: ['n'] },
      { schema: 'public', table: 'plain' },
    ]);
    await test.run("insert into plain values (50, 'a', 1)");
    await channel.waitForChanges(2);
    expect(channel.deliveries.map(({ ids }) => ids)).toEqual([[1, 2], [3]]);
    expect(channel.changes().map(({ record, columns }) => [record, columns.length])).toEqual([
      [{ id: 50, n: 1 }, 2],
      [{ id: 50, v: 'a', n: 1 }, 3],
    ]);
  });

  it('receives nothing after it is closed', async () => {
    const closed = await subscribe([{ table: 'plain' }]);
    const open = await subscribe([{ table: 'plain' }]);
    closed.close();
    closed.close();
    await test.run("insert into plain values (60, 'a', 1)");
    await open.waitForChanges(1);
    expect(closed.deliveries).toEqual([]);
  });

  it('for all tables receives changes of tables created later', async () => {
    const channel = await subscribe([{ schema: '*' }]);
    await test.run(
      'create table later (id int primary key); alter publication supabase_realtime add table later',
    );
    await test.run('insert into later values (1)');
    expect(await channel.waitForChanges(1)).toMatchObject([{ table: 'later' }]);
  });

  it('receives nothing of unpublished tables', async () => {
    await test.run('create table unpublished (id int primary key)');
    const [changes] = await changesOf('insert into unpublished values (1)');
    expect(changes).toEqual([]);
  });
});

describe('a filter', () => {
  beforeAll(async () => {
    await test.run(`
      create table filtered (
        id int primary key, n int, big int8, t text, de text collate "und-x-icu", vc varchar, b bool, num numeric,
        ts timestamptz, u uuid, arr int[], j jsonb
      );
      alter publication supabase_realtime add table filtered`);
  });

  const ROWS = `
    (1, 5, 9007199254740993, 'Abc', 'Ä', 'x', true, 10.5, '2026-01-02 00:00:00+00', '5f0e2a8c-0000-4000-8000-000000000001', '{1,2}', '{}'),
    (2, 50, 2, 'abd', 'b', 'y', false, 9, '2025-01-02 00:00:00+00', '5f0e2a8c-0000-4000-8000-000000000002', '{1,3}', '[]'),
    (3, null, null, null, null, null, null, null, null, null, null, null)`;

  const FILTERS: readonly [filter: string, ids: number[]][] = [
    ['', [1, 2, 3]],
    ['n=eq.5', [1]],
    ['n=eq. 05 ', [1]],
    ['n=neq.5', [2]],
    ['n=not.eq.5', [2]],
    ['n=lt.50', [1]],
    ['n=lte.50', [1, 2]],
    ['n=gt.9', [2]],
    ['n=gte.5', [1, 2]],
    ['n=not.gt.9', [1]],
    ['big=eq.9007199254740993', [1]],
    ['big=gt.9007199254740992', [1]],
    ['n=in.(5,6)', [1]],
    ['n=not.in.(5,6)', [2]],
    ['n=in.()', []],
    ['n=in.(5,null)', [1]],
    ['n=not.in.(5,null)', []],
    ['t=in.("Abc",x)', [1]],
    ['t=eq.Abc', [1]],
    ['t=eq."Abc"', [1]],
    ['t=neq.Abc', [2]],
    ['t=like.ab%', [2]],
    ['t=not.like.ab%', [1]],
    ['t=ilike.ab%', [1, 2]],
    ['vc=like.x', [1]],
    ['t=match.^A', [1]],
    ['t=not.imatch.c$', [2]],
    ['t=lt.Z', [1]],
    ['de=lt.b', [1]],
    ['t=is.null', [3]],
    ['t=not.is.null', [1, 2]],
    ['b=is.true', [1]],
    ['b=is.false', [2]],
    ['b=is.unknown', [3]],
    ['b=not.is.true', [2, 3]],
    ['b=eq.yes', [1]],
    ['b=in.(no,f)', [2]],
    ['n=isdistinct.5', [2, 3]],
    ['n=not.isdistinct.5', [1]],
    ['ts=isdistinct.2026-01-02', [2, 3]],
    ['num=eq.10.50', [1]],
    ['num=gt.9', [1]],
    ['num=in.(9.0,8)', [2]],
    ['ts=gte.2026-01-01', [1]],
    ['ts=eq.2026-01-02T01:00:00+01:00', [1]],
    ['u=eq.5F0E2A8C-0000-4000-8000-000000000001', [1]],
    ['arr=eq."{1,2}"', [1]],
    ['arr=gt."{1,2}"', [2]],
    ['j=eq.[]', [2]],
    ['n=gt.0,t=like.a%', [2]],
    ['n=gt.0,n=lt.50,b=is.true', [1]],
  ];
  const channelOf = new Map<string, TestChannel>();

  beforeAll(async () => {
    const opened = await Promise.all(
      FILTERS.map(([filter]) => test.subscribe([{ schema: 'public', table: 'filtered', filter }])),
    );
    for (const [index, [filter]] of FILTERS.entries()) {
      const channel = opened[index];
      if (channel) channelOf.set(filter, channel);
    }
    await changesOf(`insert into filtered values ${ROWS}`);
  });

  it.each(FILTERS)('%j matches %j', async (filter, ids) => {
    const changes = await channelOf.get(filter)?.waitForChanges(ids.length);
    expect(changes?.map(({ record }) => record?.id)).toEqual(ids);
    channelOf.get(filter)?.close();
  });

  it.each([
    ['a deleted row by its key', '', 'id=gt.1', [2]],
    ['no deleted row whose old row lacks the value', '', 'v=eq.a', []],
    [
      'a deleted row by any value under REPLICA IDENTITY FULL',
      'alter table gone replica identity full',
      'v=eq.a',
      [1],
    ],
  ])('matches %s', async (_, sql, filter, ids) => {
    await test.run(`create table gone (id int primary key, v text); ${sql};
      alter publication supabase_realtime add table gone; insert into gone values (1, 'a'), (2, 'b')`);
    const filtered = await subscribe([{ event: 'DELETE', schema: 'public', table: 'gone', filter }]);
    const all = await subscribe([{ event: 'DELETE', schema: 'public', table: 'gone' }]);
    await test.run('delete from gone where id = 1');
    await test.run('delete from gone where id = 2');
    await all.waitForChanges(2);
    expect(filtered.changes().map(({ old_record }) => old_record?.id)).toEqual(ids);
    await test.run('drop table gone');
  });

  it('that times out suspends the filters of its client, and not those of others', async () => {
    await test.run(`create type mood2 as enum ('good');
      create function never(mood2, mood2) returns boolean language plpgsql as
        'begin perform pg_sleep(60); return true; end';
      create operator = (leftarg = mood2, rightarg = mood2, function = never);
      create table moody (id int primary key, m mood2, t text); alter publication supabase_realtime add table moody`);
    const deliveries: string[] = [];
    const open = async (owner: string, filter: string) => {
      const entries = [{ id: 1, params: { schema: 'public', table: 'moody', filter } }];
      const deliver = () => void deliveries.push(`${owner} ${filter}`);
      channels.push((await test.feed.subscribe(entries, SERVICE, deliver, { owner })) as TestChannel);
    };
    await open('slow', 'm=eq.good');
    await open('slow', 't=like.a%');
    await open('quick', 't=like.%a');
    const all = await subscribe([{ schema: 'public', table: 'moody' }]);
    for (const id of [1, 2]) {
      await test.run(`insert into moody values (${id}, 'good', 'a')`);
      await all.waitForChanges(id);
    }
    expect(deliveries.sort()).toEqual(['quick t=like.%a', 'quick t=like.%a', 'slow t=like.a%']);
  });

  it('on an unchanged TOAST value matches nothing', async () => {
    await test.run(`create table long (id int primary key, big text, n int); alter table long alter big set storage external;
      alter publication supabase_realtime add table long; insert into long values (1, repeat('x', 10000), 1)`);
    const filtered = await subscribe([
      { event: 'UPDATE', schema: 'public', table: 'long', filter: 'big=like.x%' },
    ]);
    const all = await subscribe([{ event: 'UPDATE', schema: 'public', table: 'long' }]);
    await test.run('update long set n = 2');
    await all.waitForChanges(1);
    expect(filtered.deliveries).toEqual([]);
  });
});

describe('row-level security', () => {
  const summaryOf = (changes: Awaited<ReturnType<typeof changesOf>>[number] | undefined) =>
    changes?.map(({ type, record, old_record }) => [type, record?.id ?? old_record?.id]);

  it('delivers rows only to their owners', async () => {
    const [ann, bob, anon, service] = await changesOf(
      `insert into own values (1, '00000000-0000-4000-8000-00000000000a', 'a'), (2, '00000000-0000-4000-8000-00000000000b', 'b')`,
      ANN,
      BOB,
      ANON,
      SERVICE,
    );
    expect([ann, bob, anon, service].map(summaryOf)).toEqual([
      [['INSERT', 1]],
      [['INSERT', 2]],
      [],
      [
        ['INSERT', 1],
        ['INSERT', 2],
      ],
    ]);
  });

  it('delivers an update that makes a row visible, and not one that hides it', async () => {
    const [ann, bob] = await changesOf(
      `update own set owner = '00000000-0000-4000-8000-00000000000b' where id = 1`,
      ANN,
      BOB,
    );
    expect([summaryOf(ann), summaryOf(bob)]).toEqual([[], [['UPDATE', 1]]]);
  });

  it('delivers a deleted row to all roles with its key only', async () => {
    await test.run('alter table own replica identity full');
    const [ann, bob] = await changesOf('delete from own', ANN, BOB);
    const deleted = [{ id: 1 }, { id: 2 }];
    for (const changes of [ann, bob]) {
      expect(changes?.map(({ type, old_record }) => [type, old_record])).toEqual(
        expect.arrayContaining(deleted.map((row) => ['DELETE', row])),
      );
    }
    await test.run('alter table own replica identity default');
  });

  it('does not deliver a row that is no longer visible', async () => {
    const [ann] = await changesOf(
      `insert into own values (3, '00000000-0000-4000-8000-00000000000a', 'a'); delete from own where id = 3`,
      ANN,
    );
    expect(summaryOf(ann)).toEqual([['DELETE', 3]]);
  });

  it('applies as soon as it is enabled', async () => {
    await test.run(`create table opened (id int primary key, v text);
      alter publication supabase_realtime add table opened`);
    const [before] = await changesOf("insert into opened values (1, 'a')", ANN);
    const [after] = await changesOf(
      "alter table opened enable row level security; insert into opened values (2, 'b')",
      ANN,
    );
    expect([summaryOf(before), summaryOf(after)]).toEqual([[['INSERT', 1]], []]);
  });

  it('hides only the rows whose policy fails', async () => {
    await test.run(`create table brittle (id int primary key, v text); alter table brittle enable row level security;
      create policy number on brittle using (v::int > 0); alter publication supabase_realtime add table brittle`);
    const [ann] = await changesOf("insert into brittle values (1, '1'), (2, 'x'), (3, '3'), (4, '0')", ANN);
    expect(summaryOf(ann)).toEqual([
      ['INSERT', 1],
      ['INSERT', 3],
    ]);
  });

  it('finds rows by keys of several columns of any type', async () => {
    await test.run(`create type size as enum ('S', 'M');
      create table keys (s size, a int[], t text, c char(3), n numeric, primary key (s, a, t, c, n));
      alter table keys enable row level security; create policy anybody on keys using (t <> 'hidden');
      alter publication supabase_realtime add table keys`);
    const [ann] = await changesOf(
      `insert into keys values ('S', '{1,2}', 'a "b", {c}', 'x', 1.50), ('M', '{}', 'hidden', 'y', 2), ('M', '{3}', '', 'z', 0)`,
      ANN,
    );
    expect(ann?.map(({ record }) => record)).toEqual([
      { s: 'S', a: [1, 2], t: 'a "b", {c}', c: 'x  ', n: 1.5 },
      { s: 'M', a: [3], t: '', c: 'z  ', n: 0 },
    ]);
  });

  it('passes the claims to policies', async () => {
    await test.run(`create table teams (id int primary key, team text); alter table teams enable row level security;
      create policy team on teams using (team = auth.jwt() ->> 'team'); alter publication supabase_realtime add table teams`);
    const red = { role: 'authenticated', claims: '{"team":"red"}' };
    const [changes] = await changesOf("insert into teams values (1, 'red'), (2, 'blue')", red);
    expect(summaryOf(changes)).toEqual([['INSERT', 1]]);
  });

  it('hides a row whose policy writes', async () => {
    await test.run(`create table seen (id int generated always as identity primary key);
      create function note() returns boolean language plpgsql security definer as
        'begin insert into seen default values; return true; end';
      create table noted (id int primary key); alter table noted enable row level security;
      create policy noted on noted using (note()); alter publication supabase_realtime add table noted, seen`);
    const [ann] = await changesOf('insert into noted values (1)', ANN);
    expect(ann).toEqual([]);
  });

  it('evaluates policies once per role and claims', async () => {
    await test.run(`create table asked (id int primary key); alter table asked enable row level security;
      create function may_see() returns boolean language plpgsql stable as $f$ begin return true; end $f$;
      create policy asked on asked for select using (may_see());
      alter publication supabase_realtime add table asked;
      do $d$ begin execute format('alter database %I set track_functions = pl', current_database()); end $d$`);
    const feed = openFeed({
      replicationUrl: test.database.realtimeUrl,
      url: test.database.authenticatorUrl,
      log: { info() {}, warn() {} },
    });
    const channels = await Promise.all(
      [ANN, ANN, ANN, ANN, BOB, BOB, BOB].map((identity) =>
        subscribeTo(feed, [{ table: 'asked' }], identity),
      ),
    );
    await test.run('insert into asked select generate_series(1, 5)');
    for (const channel of channels) expect(await channel.waitForChanges(5)).toHaveLength(5);
    // Connections report their function calls to the statistics at their end at the latest.
    await feed.close();
    const calls = async () => {
      const text = "select calls::int from pg_stat_user_functions where funcname = 'may_see'";
      const [row] = await test.database.admin.query<{ calls: number }>({ text });
      return row?.calls;
    };
    await expect.poll(calls, { timeout: 10_000 }).toBe(2 * 5);
  });

  it('leaves no settings in the session for the next check', async () => {
    await test.run(`create table left_behind (id int primary key); alter table left_behind enable row level security;
      create function leave_behind() returns boolean language plpgsql as $f$ begin
        if current_setting('left.behind', true) <> '' or current_setting('search_path') = 'pg_temp' then return false; end if;
        perform set_config('left.behind', 'x', false), set_config('search_path', 'pg_temp', false),
          set_config('role', 'authenticated', false);
        return true;
      end $f$;
      create policy once on left_behind using (leave_behind()); alter publication supabase_realtime add table left_behind`);
    const feed = openFeed({
      replicationUrl: test.database.realtimeUrl,
      url: test.database.authenticatorUrl,
      log: { info() {}, warn() {} },
      maxConnections: 1,
    });
    const channel = await subscribeTo(feed, [{ table: 'left_behind' }], ANN);
    for (const id of [1, 2, 3]) {
      await test.run(`insert into left_behind values (${id})`);
      await channel.waitForChanges(id);
    }
    await feed.close();
  });

  it('with slow policies for one role does not delay others', async () => {
    await test.run(`create table slow (id int primary key); alter table slow enable row level security;
      create policy slow on slow using (
        case when auth.uid() = '00000000-0000-4000-8000-00000000000a' then pg_sleep(60) is not null else true end
      ); alter publication supabase_realtime add table slow`);
    const ann = await subscribe([{ table: 'slow' }], ANN);
    const bob = await subscribe([{ table: 'slow' }], BOB);
    for (const id of [1, 2, 3]) {
      await test.run(`insert into slow values (${id})`);
      await bob.waitForChanges(id);
    }
    expect(ann.deliveries).toEqual([]);
  });
});

describe('privileges', () => {
  beforeAll(async () => {
    await test.run(`create table cols (id int primary key, open text, closed text);
      alter table cols replica identity full;
      revoke all on cols from authenticated; grant select (id, open) on cols to authenticated;
      create table keyhidden (id int primary key, open text);
      revoke all on keyhidden from authenticated; grant select (open) on keyhidden to authenticated;
      create schema private; create table private.t (id int primary key); grant select on private.t to authenticated;
      alter publication supabase_realtime add table cols, keyhidden, private.t`);
  });

  it('remove unselectable columns from every part of a change', async () => {
    const [ann, service] = await changesOf(
      "insert into cols values (1, 'o', 'c'); update cols set closed = 'd'; delete from cols",
      ANN,
      SERVICE,
    );
    expect(service?.map(({ old_record }) => old_record?.closed)).toEqual([undefined, 'c', 'd']);
    expect(ann?.map(({ record, old_record }) => [record, old_record])).toEqual([
      [{ id: 1, open: 'o' }, undefined],
      [
        { id: 1, open: 'o' },
        { id: 1, open: 'o' },
      ],
      [undefined, { id: 1, open: 'o' }],
    ]);
    for (const { columns } of ann ?? []) expect(columns.map(({ name }) => name)).toEqual(['id', 'open']);
  });

  it('apply as soon as they are revoked, also to filters', async () => {
    await test.run('grant select (closed) on cols to authenticated');
    const filtered = await subscribe([{ schema: 'public', table: 'cols', filter: 'closed=eq.x' }], ANN);
    const all = await subscribe([{ schema: 'public', table: 'cols' }], ANN);
    await test.run("insert into cols values (2, 'o', 'x')");
    await filtered.waitForChanges(1);
    await test.run('revoke select (closed) on cols from authenticated');
    await test.run("insert into cols values (3, 'o', 'x')");
    expect((await all.waitForChanges(2)).map(({ record }) => record)).toEqual([
      { id: 2, open: 'o', closed: 'x' },
      { id: 3, open: 'o' },
    ]);
    expect(filtered.deliveries).toHaveLength(1);
  });

  it.each([
    ['a column of the primary key', { table: 'keyhidden' }, "insert into keyhidden values (1, 'a')"],
    ['the schema', { schema: 'private' }, 'insert into private.t values (1)'],
  ])('on %s are required to receive values of a change', async (_, params, sql) => {
    const channel = await subscribe([params], ANN);
    await test.run(sql);
    expect(await channel.waitForChanges(1)).toMatchObject([
      { columns: [], record: {}, commit_timestamp: null, errors: ['Error 401: Unauthorized'] },
    ]);
  });
});

describe('a rejected subscription', () => {
  const PREFIX = 'Unable to subscribe to changes with given parameters.';
  const PARAMS = (rest: string) =>
    `[event: *, schema: public, table: filtered, filters: [${rest}], select: nil]`;
  const exception = (rest: string, text: string) =>
    `${PREFIX} An exception happened so please check your connect parameters: ${PARAMS(rest)}. Exception: ${text}`;

  it.each<[filter: string, message: string]>([
    [
      'x=eq.1',
      exception('{"x", "eq", "1", false}', 'ERROR P0001 (raise_exception) invalid column for filter x'),
    ],
    [
      'n=eq.hey',
      exception(
        '{"n", "eq", "hey", false}',
        'ERROR 22P02 (invalid_text_representation) invalid input syntax for type integer: "hey"',
      ),
    ],
    [
      't=not.match.(',
      exception(
        '{"t", "match", "(", true}',
        'ERROR P0001 (raise_exception) invalid regular expression for match filter: invalid regular expression: parentheses () not balanced',
      ),
    ],
    [
      'n=is.true',
      exception(
        '{"n", "is", "true", false}',
        'ERROR P0001 (raise_exception) is true filter requires a boolean column, got integer',
      ),
    ],
    [
      'n=is.5',
      exception(
        '{"n", "is", "5", false}',
        'ERROR P0001 (raise_exception) invalid value for is filter: must be null, true, false, or unknown',
      ),
    ],
    [
      'n=like.5',
      exception(
        '{"n", "like", "5", false}',
        'ERROR P0001 (raise_exception) operator like requires a text-compatible column type, got integer',
      ),
    ],
    ['n=foo.5', 'Error parsing `filter` params: ["foo", "5"]'],
  ])('reports the reason for the filter %s', async (filter, message) => {
    const refused = test.subscribe([{ schema: 'public', table: 'filtered', filter }]);
    await expect(refused).rejects.toMatchObject({ name: 'FeedRefusal', message, isFinal: true });
  });

  it.each<[name: string, params: Record<string, unknown>, identity: Identity, message: string]>([
    [
      'an unknown table',
      { event: 'INSERT', schema: 'public', table: 'nope' },
      SERVICE,
      `${PREFIX} Please check Realtime is enabled for the given connect parameters: [event: INSERT, schema: public, table: nope, filters: [], select: nil]`,
    ],
    [
      'an unreadable column',
      { schema: 'public', table: 'cols', filter: 'closed=eq.1' },
      ANN,
      'invalid column for filter closed',
    ],
    [
      'an unreadable selected column',
      { schema: 'public', table: 'cols', select: ['closed'] },
      ANN,
      'invalid column for select closed',
    ],
    [
      'a list that is too long',
      {
        schema: 'public',
        table: 'plain',
        filter: `n=in.(${Array.from({ length: 101 }, (_, n) => n).join(',')})`,
      },
      SERVICE,
      'too many values for `in` filter. Maximum 100',
    ],
    [
      'a NUL character in a value',
      { schema: 'public', table: 'plain', filter: 'v=eq.\0' },
      SERVICE,
      'Exception: ERROR 22021',
    ],
    ['a NUL character in a name', { schema: 'public', table: 'pl\0ain' }, SERVICE, PREFIX],
    ['an unknown role', { table: 'plain' }, { role: 'nobody', claims: '{}' }, 'role "nobody" does not exist'],
    [
      'a role that is not one of requests',
      { table: 'plain' },
      { role: 'postgres', claims: '{}' },
      'permission denied',
    ],
    ['missing parameters', {}, SERVICE, 'No subscription params provided.'],
  ])('with %s rejects all entries', async (_, params, identity, message) => {
    const refused = test.subscribe([{ schema: 'public', table: 'marks' }, params], identity);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ isFinal: true });
  });

  it('has too many entries', async () => {
    const entries = Array.from({ length: 101 }, () => ({ table: 'marks' }));
    await expect(test.subscribe(entries)).rejects.toMatchObject({ isFinal: true });
  });

  it('has too many conditions in all entries together', async () => {
    const filter = Array.from({ length: 51 }, (_, n) => `id=gt.${n}`).join();
    const entries = Array.from({ length: 10 }, () => ({ schema: 'public', table: 'marks', filter }));
    const message = 'Too many conditions in one channel. Maximum 500';
    await expect(test.subscribe(entries)).rejects.toMatchObject({ isFinal: true, message });
  });
});

describe('onMessage', () => {
  it('delivers rows of realtime.messages after their commit, in order', async () => {
    const rows: MessageRow[] = [];
    const all = Promise.withResolvers<void>();
    const end = test.feed.onMessage((row) => {
      rows.push(row);
      if (rows.length === 3) all.resolve();
    });
    await expect(
      test.run("perform realtime.send('{}', 'undone', 'room'); raise exception 'undone'").catch(() =>
        test.database.admin.query({
          text: "do $$ begin perform realtime.send('{}', 'undone', 'room'); raise exception 'x'; end $$",
        }),
      ),
    ).rejects.toThrow('x');
    await test.database.admin.query({ text: `select realtime.send('{"a":9007199254740993}', 'e', 'room')` });
    await test.database.admin.query({ text: `select realtime.send_binary('\\x00ff', 'e2', 'room', false)` });
    await test.database.admin.query({
      text: `insert into realtime.messages (topic, extension) values ('room', 'presence')`,
    });
    await all.promise;
    end();
    expect(rows).toEqual([
      {
        id: expect.any(String),
        topic: 'room',
        extension: 'broadcast',
        event: 'e',
        isPrivate: true,
        payload: expect.stringContaining('9007199254740993'),
        binaryPayload: null,
      },
      expect.objectContaining({
        event: 'e2',
        isPrivate: false,
        payload: null,
        binaryPayload: Buffer.from([0, 255]),
      }),
      expect.objectContaining({ extension: 'presence', event: null, payload: null, isPrivate: false }),
    ]);
    expect(rows[0]?.payload).toContain(rows[0]?.id);
  });

  it('delivers a row when its transaction is visible to others', async () => {
    const count = 1500;
    const writers = 8;
    const seen: Promise<string>[] = [];
    const all = Promise.withResolvers<void>();
    const end = test.feed.onMessage(({ topic, event }) => {
      if (topic !== 'seen' || event === null) return;
      const found = test.database.admin.query<{ id: number }>({
        text: 'select id from plain where id = $1',
        values: [Number(event)],
      });
      seen.push(found.then((rows) => (rows.length === 1 ? 'seen' : 'not seen')));
      if (seen.length === count) all.resolve();
    });
    const write = async (writer: number) => {
      for (let id = 1000 + writer; id < 1000 + count; id += writers) {
        await test.database.admin.query({
          text: `with row as (insert into plain (id) values (${id}) returning id)
            select realtime.send('{}', id::text, 'seen') from row`,
        });
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    await all.promise;
    end();
    expect(new Set(await Promise.all(seen))).toEqual(new Set(['seen']));
    await test.run('delete from plain');
  });
});
