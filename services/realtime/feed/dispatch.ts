/** Runs the middle stages of the feed: match, convert and identity queues for changes, listeners for messages. */
import type { Logger } from '@greenroom/log';
import type { FeedDatabase } from './database.ts';
import type { MessageRow } from './feed.ts';
import type { IdentityQueues } from './identity-queues/identity-queues.ts';
import { isMessageTable, readMessageRow } from './message-row.ts';
import { convertChanges } from './payload/convert.ts';
import type { RowChange } from './replication/pgoutput.ts';
import type { Matcher } from './subscriptions/match.ts';
import { waitForCommits } from './visibility/committed.ts';

/** Options of {@link createDispatcher}. */
interface DispatcherOptions {
  database: FeedDatabase;
  matcher: Pick<Matcher, 'find'>;
  queues: Pick<IdentityQueues, 'distribute'>;
  onMessage: (row: MessageRow) => void;
  /** Whether the feed is closed: then messages are dropped and errors are not logged. */
  isClosed: () => boolean;
  log: Pick<Logger, 'warn'>;
}

/**
 * Dispatches a batch. Resolves when the next one may be dispatched; `delivered` resolves when the queues are done with
 * this one. Neither rejects: changes that could not be dispatched are logged.
 */
type Dispatch = (batch: readonly RowChange[]) => Promise<{ delivered: Promise<void> }>;

const NOTHING_TO_DELIVER = { delivered: Promise.resolve() };

/** Creates the dispatcher of a feed. */
export function createDispatcher(options: DispatcherOptions): Dispatch {
  const { database, matcher, queues, onMessage, isClosed, log } = options;

  async function dispatchChanges(changes: readonly RowChange[]): Promise<{ delivered: Promise<void> }> {
    const matches = await matcher.find(changes);
    const converted = await convertChanges(
      database,
      matches.map(({ change }) => change),
    );
    const work = queues.distribute(matches, converted);
    const batches = [...work].map(
      ([queue, items]) => new Promise<void>((done) => queue.add({ items, done })),
    );
    return { delivered: Promise.all(batches).then(() => undefined) };
  }

  return async (batch) => {
    const { messages = [], changes = [] } = Object.groupBy(batch, ({ relation }) =>
      isMessageTable(relation) ? 'messages' : 'changes',
    );
    // Waits for the commit, because a client that receives a change may query its row at once.
    const committed = waitForCommits(database, new Set(batch.map(({ xid }) => xid)));
    // Messages need no query: they are delivered even if the database does not respond.
    await committed.catch(() => undefined);
    if (!isClosed()) deliverMessages(messages, onMessage);
    if (changes.length === 0) return NOTHING_TO_DELIVER;
    try {
      await committed;
      return await dispatchChanges(changes);
    } catch (error) {
      if (!isClosed())
        log.warn({ changes: changes.length, err: error }, 'database changes were not delivered');
      return NOTHING_TO_DELIVER;
    }
  };
}

function deliverMessages(messages: readonly RowChange[], onMessage: (row: MessageRow) => void): void {
  for (const message of messages) {
    const row = readMessageRow(message);
    if (row !== undefined) onMessage(row);
  }
}
