/** A feed that receives changes faster than it delivers them, and a role whose policies time out. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestFeed, userIdentity } from './testing/test-feed.ts';

const SLOW = userIdentity('00000000-0000-4000-8000-00000000000a');
const QUICK = userIdentity('00000000-0000-4000-8000-00000000000b');
const ROWS = 6000;

let test: TestFeed;
const dropped: string[] = [];
beforeAll(async () => {
  test = await TestFeed.open(
    `
    create table many (id int primary key, v text);
    alter table many enable row level security;
    create policy slow on many using (
      case when auth.uid() = '00000000-0000-4000-8000-00000000000a' then pg_sleep(60) is not null else true end
    );
    alter publication supabase_realtime add table many`,
    {
      statementTimeoutMs: 1000,
      maxBacklogBytes: 64 * 1024,
      queueTimeoutMs: 300,
    },
  );
  test.feed.onDropped(({ claims }) => dropped.push(claims));
});
afterAll(() => test.close());

it('delivers a large transaction completely and in order without buffering it as a whole', async () => {
  const channel = await test.subscribe([{ table: 'many' }], QUICK);
  await test.run(`insert into many select n, repeat('x', 200) from generate_series(1, ${ROWS}) n`);
  const ids = (await channel.waitForChanges(ROWS)).map(({ record }) => record?.id);
  expect(ids).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  channel.close();
});

it('drops changes of a role that is too slow, and delivers all changes to the others', async () => {
  const slow = await test.subscribe([{ table: 'many' }], SLOW);
  const quick = await test.subscribe([{ table: 'many' }], QUICK);
  await test.run(`update many set v = repeat('y', 200) where id <= 1000`);
  await quick.waitForChanges(1000);
  expect(slow.deliveries).toEqual([]);
  expect(new Set(dropped)).toEqual(new Set([SLOW.claims]));
  slow.close();
  quick.close();
});
