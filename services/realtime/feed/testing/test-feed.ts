/** A feed on a database of its own, and channels that remember what they were told. */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import type { ChangeDelivery, Feed, FeedSubscription, Identity } from '../feed.ts';
import { type FeedOptions, openFeed } from '../open-feed.ts';

const PATIENCE_MS = 60_000;
const SILENT = { info() {}, warn() {} };

/** What `data` of a frame holds. */
export interface ChangeData {
  type: string;
  schema: string;
  table: string;
  commit_timestamp: string | null;
  columns: { name: string; type: string }[];
  record?: Record<string, unknown>;
  old_record?: Record<string, unknown>;
  errors: string[] | null;
}

/** A subscribed channel. */
export interface TestChannel extends FeedSubscription {
  deliveries: ChangeDelivery[];
  /** What it was told until now. */
  changes(): ChangeData[];
  /** Waits until it was told so much in all. */
  until(count: number): Promise<ChangeData[]>;
}

/** Claims of a signed-in user. */
export function userIdentity(sub: string, role = 'authenticated'): Identity {
  return { role, claims: JSON.stringify({ sub, role }) };
}

export const ANON: Identity = { role: 'anon', claims: '{"role":"anon"}' };
export const SERVICE: Identity = { role: 'service_role', claims: '{"role":"service_role"}' };

/** A feed and its database. */
export class TestFeed {
  readonly database: TestDatabase;
  readonly feed: Feed;

  private constructor(database: TestDatabase, feed: Feed) {
    this.database = database;
    this.feed = feed;
  }

  /** On a database with what `sql` makes. */
  static async open(sql = '', options: Partial<FeedOptions> = {}): Promise<TestFeed> {
    const database = await createTestDatabase();
    const feed = openFeed({
      replicationUrl: database.realtimeUrl,
      url: database.authenticatorUrl,
      log: SILENT,
      ...options,
    });
    const test = new TestFeed(database, feed);
    await test.run(sql);
    await feed.untilStreaming();
    return test;
  }

  /** Runs statements as superuser, in one transaction. */
  async run(sql: string): Promise<void> {
    await this.database.run(sql);
  }

  /** Each entry is parameters; their ids are 1, 2, … */
  async subscribe(
    entries: readonly Record<string, unknown>[],
    identity: Identity = SERVICE,
  ): Promise<TestChannel> {
    return subscribeTo(this.feed, entries, identity);
  }

  async close(): Promise<void> {
    await this.feed.close();
    await this.database.drop();
  }
}

/** Subscribes and collects. */
export async function subscribeTo(
  feed: Feed,
  entries: readonly Record<string, unknown>[],
  identity: Identity = SERVICE,
): Promise<TestChannel> {
  const deliveries: ChangeDelivery[] = [];
  let wake = () => {};
  const subscription = await feed.subscribe(
    entries.map((params, index) => ({ id: index + 1, params })),
    identity,
    (delivery) => {
      deliveries.push(delivery);
      wake();
    },
  );
  const changes = () => deliveries.map(({ data }) => JSON.parse(data) as ChangeData);
  return {
    close: () => subscription.close(),
    deliveries,
    changes,
    async until(count) {
      const late = AbortSignal.timeout(PATIENCE_MS);
      while (deliveries.length < count) {
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          late.onabort = () =>
            reject(new Error(`${deliveries.length} of ${count}: ${JSON.stringify(changes())}`));
        });
      }
      late.onabort = null;
      return changes();
    },
  };
}
