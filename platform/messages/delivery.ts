/**
 * Delivers the messages of the outbox. Several nodes may share one outbox; the messages that a node was sending when it
 * was killed are retried. Delivery is at least once: a message may arrive twice, but is never lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@greenroom/postgres';
import { cleanUp, MAX_KEPT } from './cleanup.ts';
import { createAnnouncer } from './kept-messages.ts';
import type { DeliveryLog } from './log.ts';
import { createLoop } from './loop.ts';
import { sendDue } from './send-due.ts';
import type { Sender } from './sender.ts';

/** Options of {@link startDelivery}. Without a sender, messages of its channels are kept. */
interface DeliveryOptions {
  /** Logged in as the owner of the table. */
  database: Database;
  mail: Sender | undefined;
  sms: Sender | undefined;
  log: DeliveryLog;
  /** Whether the log contains links and codes of messages that are kept. Default: false. */
  logsContent?: boolean;
  now?: () => Date;
  /**
   * Time that `close` waits for attempts in progress, in milliseconds; after that they are aborted, and retried later.
   */
  closeTimeoutMs?: number;
}

/** A running delivery. */
export interface Delivery {
  /** Checks for due messages now. */
  wake(): void;
  /** Delivers the messages that are due now, and resolves when all attempts have ended; for tests. */
  run(): Promise<void>;
  /** Starts no further attempts, and waits a limited time for those in progress. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 10_000;
/** Time for recording aborted attempts in the database. */
const RECORD_TIMEOUT_MS = 2000;
const CLEAN_UP_EVERY_MS = 10 * 60_000;

/** Starts the delivery. */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { database, mail, sms, log, now = () => new Date(), closeTimeoutMs = CLOSE_TIMEOUT_MS } = options;
  const senders = [mail, sms].filter((sender) => sender !== undefined);
  const closing = new AbortController();
  const stop = new AbortController();
  const sendOptions = { database, log, now, closing: closing.signal, stop: stop.signal };
  const work = [
    ...senders.map((sender) => () => sendDue({ ...sendOptions, sender })),
    createMaintenance(options, senders, now),
  ];
  const onError = (error: unknown) =>
    log.warn({ reason: String(error) }, 'reading the outbox failed; it is retried');
  const loops = work.map((each) => createLoop({ work: each, onError }));
  const wake = () => {
    for (const loop of loops) loop.wake();
  };
  wake();
  return {
    wake,
    run: () => Promise.all(loops.map((loop) => loop.run())).then(() => undefined),
    async close() {
      closing.abort();
      const closed = Promise.all(loops.map((loop) => loop.close()));
      if (await endsWithin(closed, closeTimeoutMs)) return;
      stop.abort();
      await endsWithin(closed, RECORD_TIMEOUT_MS);
    },
  };
}

async function endsWithin(ending: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const isOver = await Promise.race([ending.then(() => true), timeout]);
  timer.abort();
  return isOver;
}

/** Logs kept messages. Cleans up periodically, and as soon as the mailbox may have grown by its maximum size. */
function createMaintenance(options: DeliveryOptions, senders: Sender[], now: () => Date) {
  const { database, log, logsContent = false } = options;
  const announce = createAnnouncer({ database, log, logsContent });
  const channels = senders.flatMap((sender) => sender.channels);
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let keptCount = 0;
  return async () => {
    keptCount += await announce();
    if (keptCount >= MAX_KEPT || now().getTime() - cleanedAt >= CLEAN_UP_EVERY_MS) {
      await database.batch(cleanUp(now(), channels));
      cleanedAt = now().getTime();
      keptCount = 0;
    }
    return undefined;
  };
}
