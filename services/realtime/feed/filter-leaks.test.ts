/** Filters must not reveal values that the subscriber may not read by matching or not matching. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from './feed.ts';
import { SERVICE, type TestChannel, TestFeed, userIdentity } from './testing/test-feed.ts';

const ANN = userIdentity('00000000-0000-4000-8000-00000000000a');

let test: TestFeed;
let channels: TestChannel[] = [];

beforeAll(async () => {
  test = await TestFeed.open(`
    create table marks (id int primary key);
    create table hidden (id int primary key, owner uuid, secret text);
    alter table hidden replica identity full;
    alter table hidden enable row level security;
    create policy own on hidden to authenticated using (owner = auth.uid());
    create table cols (id int primary key, open text, closed text);
    alter table cols replica identity full;
    create table nokey (open text, closed text);
    alter table nokey enable row level security;
    create table keyless (id int primary key, open text, closed text);
    alter table keyless enable row level security;
    alter publication supabase_realtime add table marks, hidden, cols, nokey, keyless`);
});
afterAll(() => test.close());
afterEach(async () => {
  for (const channel of channels) channel.close();
  channels = [];
  await test.run('delete from hidden; delete from cols; delete from keyless');
  await test.run(
    'revoke all on cols, keyless from authenticated; grant select on cols, keyless to authenticated',
  );
});

let mark = 0;

/** Writes a row of `marks`, and returns all changes until the channel receives it. */
async function changesUntilMark(channel: TestChannel) {
  mark += 1;
  await test.run(`insert into marks values (${mark})`);
  for (let count = 1; ; count += 1) {
    const changes = await channel.waitForChanges(count);
    if (changes.some(({ table: of, record }) => of === 'marks' && record?.id === mark)) return changes;
  }
}

/** Waits until the feed has read everything so far: on a busy machine, a new channel may receive earlier changes. */
async function waitForFeed(): Promise<void> {
  const channel = await test.subscribe([{ schema: 'public', table: 'marks' }], ANN);
  await changesUntilMark(channel);
  channel.close();
}

/** Runs each text in a separate transaction. Returns the changes that a subscriber with a filter receives. */
async function changesOf(
  { table, filter, event = '*' }: { table: string; filter: string; event?: string },
  statements: readonly string[],
  identity: Identity = ANN,
) {
  const entries = [
    { event, schema: 'public', table, filter },
    { schema: 'public', table: 'marks' },
  ];
  await waitForFeed();
  const channel = await test.subscribe(entries, identity);
  channels.push(channel);
  for (const sql of statements) await test.run(sql);
  return (await changesUntilMark(channel)).filter(({ table: of }) => of !== 'marks');
}

describe('a deleted row of a table with row-level security', () => {
  const rows = `insert into hidden values (1, null, 'x'), (2, null, 'y'), (3, '00000000-0000-4000-8000-00000000000a', 'x')`;

  it.each(['secret=eq.x', 'secret=like.x%', 'secret=not.eq.y', 'id=gt.0,secret=eq.x'])(
    'is not matched by %s, which compares more than its key',
    async (filter) => {
      await test.run(rows);
      expect(await changesOf({ table: 'hidden', filter, event: 'DELETE' }, ['delete from hidden'])).toEqual(
        [],
      );
    },
  );

  it('is matched by a filter on its key', async () => {
    await test.run(rows);
    const changes = await changesOf({ table: 'hidden', filter: 'id=lt.3' }, ['delete from hidden']);
    expect(changes.map(({ old_record }) => old_record)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('is matched by any filter of a role that bypasses policies', async () => {
    await test.run(rows);
    const changes = await changesOf(
      { table: 'hidden', filter: 'secret=eq.x' },
      ['delete from hidden'],
      SERVICE,
    );
    expect(changes.map(({ old_record }) => old_record)).toEqual([{ id: 1 }, { id: 3 }]);
  });

  it('is not matched by other columns as soon as row-level security is enabled', async () => {
    await test.run("insert into cols values (1, 'a', 'b')");
    const changes = await changesOf({ table: 'cols', filter: 'closed=eq.b' }, [
      'alter table cols enable row level security',
      'delete from cols',
    ]);
    await test.run('alter table cols disable row level security');
    expect(changes).toEqual([]);
  });
});

describe('a column without select privilege', () => {
  const revoke = 'revoke select on cols from authenticated; grant select (id, open) on cols to authenticated';

  it('is not evaluated for a deleted row with its whole image', async () => {
    await test.run("insert into cols values (1, 'a', 'b'), (2, 'a', 'c')");
    const changes = await changesOf({ table: 'cols', filter: 'closed=eq.b' }, [revoke, 'delete from cols']);
    expect(changes).toEqual([]);
  });

  it('is not evaluated for a change that is withheld because the key is not selectable', async () => {
    const changes = await changesOf({ table: 'cols', filter: 'closed=eq.b' }, [
      'revoke select on cols from authenticated; grant select (open) on cols to authenticated',
      "insert into cols values (1, 'a', 'b')",
    ]);
    expect(changes).toEqual([]);
  });
});

describe('a column that had the name of a selectable one at the time of the change', () => {
  const SWAP = `alter table cols rename open to swap; alter table cols rename closed to open;
    alter table cols rename swap to closed`;
  const CHANGE = `${SWAP}; insert into cols (id, open, closed) values (1, 'secret', 'o'); ${SWAP}`;

  beforeEach(() =>
    test.run('revoke all on cols from authenticated; grant select (id, open) on cols to authenticated'),
  );

  it('is not evaluated by a filter', async () => {
    expect(await changesOf({ table: 'cols', filter: 'open=eq.secret' }, [CHANGE])).toEqual([]);
  });

  it('is not delivered', async () => {
    const [change] = await changesOf({ table: 'cols', filter: 'id=eq.1' }, [CHANGE]);
    expect(change).toMatchObject({ record: { id: 1 }, columns: [{ name: 'id' }] });
    expect(change?.record).toEqual({ id: 1 });
  });
});

describe('a change that is withheld on a table with row-level security', () => {
  it('is not matched by a filter, since no policy can be evaluated for its row', async () => {
    await test.run(
      'revoke all on keyless from authenticated; grant select (open) on keyless to authenticated',
    );
    const changes = await changesOf({ table: 'keyless', filter: 'open=eq.x' }, [
      "insert into keyless values (1, 'x', 'y')",
    ]);
    expect(changes).toEqual([]);
    expect(
      await changesOf({ table: 'nokey', filter: 'open=eq.x' }, ["insert into nokey values ('x')"]),
    ).toEqual([]);
  });
});

describe('an update', () => {
  it('is matched by its new row only, even if the log has the whole old row', async () => {
    await test.run("insert into cols values (1, 'old', 'c')");
    const statements = ["update cols set open = 'new'"];
    expect(await changesOf({ table: 'cols', filter: 'open=eq.old' }, statements)).toEqual([]);
    await test.run("update cols set open = 'old'");
    expect(await changesOf({ table: 'cols', filter: 'open=eq.new' }, statements)).toHaveLength(1);
  });
});

describe('a column that was added later', () => {
  it('is evaluated and delivered only with the select privilege', async () => {
    await test.run(
      'revoke select on cols from authenticated; grant select (id, open) on cols to authenticated',
    );
    const filter = { schema: 'public', table: 'cols', filter: 'open=eq.a' };
    await waitForFeed();
    const channel = await test.subscribe([filter], ANN);
    channels.push(channel);
    await test.run("alter table cols add later text; insert into cols values (1, 'a', 'c', 'unread')");
    await channel.waitForChanges(1);
    await test.run('grant select (later) on cols to authenticated');
    await test.run("insert into cols values (2, 'a', 'c', 'read')");
    expect((await channel.waitForChanges(2)).map(({ record }) => record)).toEqual([
      { id: 1, open: 'a' },
      { id: 2, open: 'a', later: 'read' },
    ]);
    await test.run('alter table cols drop later');
  });
});
