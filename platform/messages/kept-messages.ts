/** Logs one line for each message that is kept in the mailbox. */
import { KEPT_MESSAGE } from '@greenroom/log';
import type { Database, Statement } from '@greenroom/postgres';
import type { DeliveryLog } from './log.ts';

const PAGE = 100;
/**
 * The timestamp of a message is the start of its transaction, but it becomes visible at the end: a message of a slow
 * transaction may appear with an earlier timestamp than one that was already logged. So each query covers this period
 * again, which is longer than a request may take.
 */
const OVERLAP_MS = 30_000;

interface KeptMessage {
  id: string;
  channel: string;
  kind: string;
  recipient: string;
  link: string | null;
  /** Null for a mail that was received: it may be large, and need not be a message of the instance. */
  text: string | null;
  created_at: Date;
}

/** Options of {@link createAnnouncer}. */
interface AnnouncerOptions {
  database: Database;
  log: DeliveryLog;
  /** Whether lines contain the link or the text, which can be used to sign in: for development on this machine only. */
  logsContent: boolean;
}

/**
 * Returns a function that logs the messages kept since its last call, and resolves with their number; the first call
 * logs none. Times are those of the database, whose clock may differ from this machine's.
 */
export function createAnnouncer({ database, log, logsContent }: AnnouncerOptions): () => Promise<number> {
  const announced = new Map<string, Date>();
  let since: Date | undefined;

  return async () => {
    since ??= await databaseTime(database);
    let kept: KeptMessage[];
    let count = 0;
    do {
      kept = await database.query<KeptMessage>(keptSince(since, [...announced.keys()]));
      count += kept.length;
      for (const message of kept) {
        announce(log, message, logsContent);
        announced.set(message.id, message.created_at);
      }
    } while (kept.length === PAGE);
    const last = [...announced.values()].reduce((one, other) => (one > other ? one : other), since);
    since = new Date(Math.max(since.getTime(), last.getTime() - OVERLAP_MS));
    for (const [id, createdAt] of announced) if (createdAt < since) announced.delete(id);
    return count;
  };
}

async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.query<{ now: Date }>({ name: 'messages_now', text: 'select now() as now' });
  return row?.now ?? new Date();
}

function keptSince(since: Date, announced: string[]): Statement {
  return {
    name: 'messages_kept_since',
    text: `select id, channel, kind, recipient, link, case when source is null then text_body end as text,
        created_at from greenroom.messages
      where state = 'kept' and created_at >= $1 and id <> all($2::uuid[]) order by created_at limit $3`,
    values: [since, announced, PAGE],
  };
}

function announce(log: DeliveryLog, message: KeptMessage, logsContent: boolean): void {
  const { channel, kind, recipient, link, text } = message;
  const content = link !== null ? { link } : text !== null ? { text: text.trim() } : {};
  log.info({ channel, kind, recipient, ...(logsContent && content) }, KEPT_MESSAGE);
}
