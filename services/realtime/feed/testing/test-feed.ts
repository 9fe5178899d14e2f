/** A feed on a separate database, and channels that record the received changes. */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import type { ChangeDelivery, Feed, FeedSubscription, Identity } from '../feed.ts';
import { type FeedOptions, openFeed } from '../open-feed.ts';

const TIMEOUT_MS = 60_000;
const SILENT = { info() {}, warn() {} };

/** The parsed `data` of a frame. */
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

/** A subscription that records its deliveries. */
export interface TestChannel extends FeedSubscription {
  deliveries: ChangeDelivery[];
  /** Returns the changes received so far. */
  changes(): ChangeData[];
  /** Waits until it has received `count` changes in total. */
  waitForChanges(count: number): Promise<ChangeData[]>;
}

/** Returns the identity of a signed-in user. */
export function userIdentity(sub: string, role = 'authenticated'): Identity {
  return { role, claims: JSON.stringify({ sub, role }) };
}

export const ANON: Identity = { role: 'anon', claims: '{"role":"anon"}' };
export const SERVICE: Identity = { role: 'service_role', claims: '{"role":"service_role"}' };

export class TestFeed {
  readonly database: TestDatabase;
  readonly feed: Feed;

  private constructor(database: TestDatabase, feed: Feed) {
    this.database = database;
    this.feed = feed;
  }

  /** Opens a feed on a new database after running `sql`. */
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
    await feed.waitUntilStreaming();
    return test;
  }

  /** Runs statements as superuser, in one transaction. */
  async run(sql: string): Promise<void> {
    await this.database.run(sql);
  }

  /** Subscribes with entries, whose ids are 1, 2, … */
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

/** Subscribes to a feed and records the deliveries. */
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
    async waitForChanges(count) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      while (deliveries.length < count) {
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          timeout.onabort = () =>
            reject(new Error(`${deliveries.length} of ${count}: ${JSON.stringify(changes())}`));
        });
      }
      timeout.onabort = null;
      return changes();
    },
  };
}
