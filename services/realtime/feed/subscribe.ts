/** Subscribes to a feed: checks the entries, registers the subscription, and waits until changes are delivered. */
import type { Logger } from '@greenroom/log';
import type { FeedConnection } from './connection.ts';
import type { FeedDatabase } from './database.ts';
import { type CheckRunner, type Feed, FeedRefusal } from './feed.ts';
import type { IdentityQueues } from './identity-queues/identity-queues.ts';
import { notify } from './listeners.ts';
import { checkEntries } from './subscriptions/check.ts';
import type { Subscription, SubscriptionRegistry } from './subscriptions/subscription.ts';
import type { LoadRights } from './visibility/rights.ts';

const STREAMING_TIMEOUT_MS = 10_000;
const UNREACHABLE = 'Realtime was unable to connect to the project database';

/** Options of {@link createSubscribe}. */
interface SubscribeOptions {
  database: FeedDatabase;
  loadRights: LoadRights;
  registry: SubscriptionRegistry;
  queues: Pick<IdentityQueues, 'acquire' | 'release'>;
  connection: Pick<FeedConnection, 'acquire' | 'restartIfStale' | 'waitUntilStreaming'>;
  log: Pick<Logger, 'warn'>;
}

const runAtOnce: CheckRunner = (work) => work();

/** Creates {@link Feed.subscribe}. */
export function createSubscribe(options: SubscribeOptions): Feed['subscribe'] {
  const { database, loadRights, registry, queues, connection, log } = options;
  return async (entries, identity, deliver, { owner, runCheck = runAtOnce } = {}) => {
    const checked = await runCheck(() => checkEntries(database, loadRights, entries, identity));
    const own: Subscription['entries'] & unknown[] = [];
    const subscription: Subscription = {
      identity,
      owner,
      deliver: (delivery) => notify(log, deliver, delivery),
      entries: own,
      isClosed: false,
    };
    own.push(...checked.map((entry) => ({ ...entry, subscription })));
    const release = connection.acquire();
    const close = () => {
      if (subscription.isClosed) return;
      registry.remove(subscription);
      queues.release(identity);
      release();
    };
    // Registers before the feed streams, so that no change is missed once it does.
    queues.acquire(identity);
    registry.add(subscription);
    try {
      await waitForDelivery(connection);
    } catch (error) {
      close();
      throw error;
    }
    return { close };
  };
}

async function waitForDelivery(connection: SubscribeOptions['connection']): Promise<void> {
  await connection.restartIfStale();
  try {
    await connection.waitUntilStreaming(AbortSignal.timeout(STREAMING_TIMEOUT_MS));
  } catch (error) {
    throw new FeedRefusal(UNREACHABLE, false, { cause: error });
  }
}
