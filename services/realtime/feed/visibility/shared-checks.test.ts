import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FeedDatabase, openFeedDatabase } from '../database.ts';
import type { Identity } from '../feed.ts';
import { ANON, userIdentity } from '../testing/test-feed.ts';
import { createSharedChecks, type FindVisibleRows } from './shared-checks.ts';
import type { RowsToCheck } from './visible-rows.ts';

const TEXT_ARRAY = 1009;
/** Longer than any check, so that the tests do not depend on the speed of the machine. */
const NEVER_MS = 120_000;
/** While a session holds this lock, the policy waits for the user `slow`. */
const LOCK = 1;

let database: TestDatabase;
let feed: FeedDatabase;
/** Numbers of identities in each flush that several checks share. */
const shared: number[] = [];
let find: FindVisibleRows;
let table: RowsToCheck;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.run(`
    create table notes (id text primary key, owner text not null);
    insert into notes values ('a', 'ann'), ('b', 'bob'), ('c', 'ann'), ('d', 'slow'), ('e', 'failing');
    create table switches (fails boolean not null);
    insert into switches values (false);
    grant select on switches to authenticated;
    create function visible_to_caller(owner text) returns boolean language plpgsql volatile as $$
    begin
      -- Leaves settings behind that would make the next caller another user.
      perform set_config('request.jwt.claims', '{"sub":"bob"}', false), set_config('test.user', 'bob', false),
        set_config('test.local_user', 'bob', true)
        where auth.jwt() ->> 'sub' = 'bob';
      if auth.jwt() ->> 'sub' = 'slow' then perform pg_advisory_xact_lock(${LOCK}); end if;
      if auth.jwt() ->> 'sub' = 'failing' and (select fails from switches) then
        raise exception 'fails';
      end if;
      return owner = coalesce(
        nullif(current_setting('test.user', true), ''), nullif(current_setting('test.local_user', true), ''),
        auth.jwt() ->> 'sub'
      );
    end $$;
    alter table notes enable row level security;
    create policy own on notes for select to authenticated using (visible_to_caller(owner));
    grant select on notes to authenticated;
    create policy public on notes for select to anon using (id = 'e');
    revoke all on notes from anon;
    grant select (id) on notes to anon;`);
  const [row] = await database.admin.query<{ oid: number }>({
    text: `select 'notes'::regclass::oid::int as oid`,
  });
  table = {
    oid: row?.oid ?? 0,
    schema: 'public',
    table: 'notes',
    key: [{ name: 'id', arrayOid: TEXT_ARRAY, typeText: 'text' }],
    rows: ['a', 'b', 'c', 'd', 'e'].map((id) => [id]),
  };
});
afterAll(() => database.drop());
beforeEach(() => {
  shared.length = 0;
  const opened = openFeedDatabase({
    url: database.authenticatorUrl,
    maxConnections: 6,
    statementTimeoutMs: 30_000,
    onIdleError() {},
  });
  feed = {
    ...opened,
    batchWhenFree(statements, onSend) {
      shared.push(statements.filter(({ name }) => name === 'become').length);
      return opened.batchWhenFree(statements, onSend);
    },
  };
  find = createSharedChecks(feed, { quickMs: NEVER_MS, timeoutMs: NEVER_MS });
  return () => opened.close();
});

const ann = userIdentity('ann');
const bob = userIdentity('bob');
const slow = userIdentity('slow');
const failing = userIdentity('failing');

const check = async (identity: Identity) => {
  const { visible, rights } = await find({ identity, tables: [table], oids: [table.oid] });
  const columns = identity === ANON ? ['id'] : ['id', 'owner'];
  expect([...(rights.get(table.oid)?.selectable.keys() ?? [])]).toEqual(columns);
  return [...(visible[0] ?? [])];
};
const checkAll = (identities: readonly Identity[]) => Promise.all(identities.map(check));

/** Makes the policy wait for the user `slow` until the returned function is called. */
async function holdLock(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const done = database.admin.transaction(async (tx) => {
    await tx.query({ text: `select pg_advisory_xact_lock(${LOCK})` });
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return () => {
    released.resolve();
    return done;
  };
}

it('runs the first check of each identity alone, and later ones in one flush with the same results', async () => {
  const identities = [bob, ann, ANON, failing];
  expect(await checkAll(identities)).toEqual([[1], [0, 2], [4], [4]]);
  expect(shared).toEqual([]);
  expect(await checkAll(identities)).toEqual([[1], [0, 2], [4], [4]]);
  expect(shared).toEqual([4]);
});

it('runs at most 6 checks in one flush', async () => {
  const identities = Array.from({ length: 14 }, (_, number) => userIdentity(`user ${number}`));
  await checkAll(identities);
  await checkAll(identities);
  expect(shared).toEqual([6, 6, 2]);
});

it('runs a single check alone', async () => {
  await check(ann);
  expect(await check(ann)).toEqual([0, 2]);
  expect(shared).toEqual([]);
});

it('resolves the other checks of a flush while the policy waits for one identity', async () => {
  find = createSharedChecks(feed, { quickMs: NEVER_MS });
  expect(await checkAll([ann, slow, bob])).toEqual([[0, 2], [3], [1]]);
  const results: string[] = [];
  const release = await holdLock();
  const checks = [ann, slow, bob].map(async (identity) => {
    await check(identity);
    results.push(JSON.parse(identity.claims).sub);
    if (results.length === 2) await release();
  });
  await Promise.all(checks);
  expect(shared).toEqual([3]);
  expect(results.at(-1)).toBe('slow');
});

it('runs each check alone if the policy fails for one identity, which then runs alone', async () => {
  const identities = [ann, failing, bob];
  await checkAll(identities);
  await database.run('update switches set fails = true');
  expect(await checkAll(identities)).toEqual([[0, 2], [], [1]]);
  expect(shared).toEqual([3]);
  expect(await checkAll(identities)).toEqual([[0, 2], [], [1]]);
  expect(shared).toEqual([3, 2]);
  await database.run('update switches set fails = false');
});
