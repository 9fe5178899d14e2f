/** A feed without listeners: the server does not decode its log for it, and later subscribers miss no change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FeedStatus } from './feed.ts';
import { TestFeed } from './testing/test-feed.ts';

const NOTES = `create table notes (id int primary key);
  alter publication supabase_realtime add table notes`;
const SUSPEND_AFTER_MS = 20;

let test: TestFeed;
let statuses: FeedStatus[] = [];
let ids = 0;

beforeAll(async () => {
  test = await TestFeed.open(NOTES, { suspendAfterMs: SUSPEND_AFTER_MS });
  test.feed.onStatus((status) => statuses.push(status));
});
afterAll(() => test.close());
beforeEach(async () => {
  await waitForSlots(0);
  statuses = [];
});

async function slots(): Promise<number> {
  const rows = await test.database.admin.query({
    text: 'select from pg_replication_slots where database = current_database() and active',
  });
  return rows.length;
}

async function waitForSlots(count: number): Promise<void> {
  await expect.poll(slots, { timeout: 15_000 }).toBe(count);
}

function mayConnect(
  change: 'grant connect on database %I to' | 'revoke connect on database %I from',
): Promise<void> {
  return test.run(`do $d$ begin
    execute format('${change} public, supabase_realtime_admin', current_database());
  end $d$`);
}

async function insert(): Promise<void> {
  ids += 1;
  await test.run(`insert into notes values (${ids})`);
}

describe('a feed without holds', () => {
  it('rests, and streams as soon as a client has subscribed', async () => {
    await insert();
    const channel = await test.subscribe([{ table: 'notes' }]);
    await insert();
    const [change] = await channel.waitForChanges(1);
    expect(change?.record).toEqual({ id: ids });
    expect(statuses).toEqual(['streaming']);
    channel.close();
    await waitForSlots(0);
    expect(statuses).toEqual(['streaming', 'suspended']);
  });

  it('keeps streaming until the last of several holds is released, each once', async () => {
    const [first, second] = [test.feed.acquire(), test.feed.acquire()];
    await test.feed.waitUntilResumed();
    first();
    first();
    await sleep(5 * SUSPEND_AFTER_MS);
    expect(await slots()).toBe(1);
    second();
    await waitForSlots(0);
    expect(statuses).toEqual(['streaming', 'suspended']);
  });

  it('does not rest if it is held in time', async () => {
    const first = test.feed.acquire();
    await test.feed.waitUntilResumed();
    first();
    const second = test.feed.acquire();
    await sleep(5 * SUSPEND_AFTER_MS);
    expect(statuses).toEqual(['streaming']);
    second();
  });

  it('delivers all changes after resting repeatedly at random times', async () => {
    for (let round = 0; round < 20; round += 1) {
      const release = test.feed.acquire();
      const channel = await test.subscribe([{ table: 'notes' }]);
      await insert();
      expect((await channel.waitForChanges(1))[0]?.record).toEqual({ id: ids });
      channel.close();
      release();
      // Waits about as long as the feed takes until it is suspended.
      await sleep(SUSPEND_AFTER_MS - 5 + (round % 10));
    }
    expect(statuses).not.toContain('lost');
  });

  it('reports a failed wake-up, and its recovery', async () => {
    await mayConnect('revoke connect on database %I from');
    const release = test.feed.acquire();
    await test.feed.waitUntilResumed();
    expect(statuses).toEqual(['lost']);
    await mayConnect('grant connect on database %I to');
    await test.feed.waitUntilStreaming();
    expect(statuses).toEqual(['lost', 'streaming']);
    release();
  });

  it('streams to a client that waited while the first attempt to wake up failed', async () => {
    await mayConnect('revoke connect on database %I from');
    const streaming = test.feed.waitUntilStreaming(AbortSignal.timeout(10_000));
    await test.feed.waitUntilResumed();
    expect(statuses).toEqual(['lost']);
    await mayConnect('grant connect on database %I to');
    await streaming;
    expect(statuses).toEqual(['lost', 'streaming']);
  });

  it('can be closed while it rests', async () => {
    const other = await TestFeed.open('', { suspendAfterMs: 1 });
    const suspended = new Promise<void>((resolve) =>
      other.feed.onStatus((status) => status === 'suspended' && resolve()),
    );
    await suspended;
    await other.close();
    await expect(other.feed.waitUntilStreaming()).rejects.toThrow('the feed is closed');
  });
});
