/** Messages that go nowhere: one line in the log for each, so that whoever tries things out finds the link. */
import type { Database, Statement } from '@greenroom/postgres';
import type { DeliveryLog } from './log.ts';

const PAGE = 100;
/**
 * A message carries the time at which its transaction began, but is seen when it ends: a slower one may turn up behind
 * one that was announced already. So the last seconds are always looked at again; longer than a request may take.
 */
const LOOK_BACK_MS = 30_000;

interface KeptMessage {
  id: string;
  channel: string;
  kind: string;
  recipient: string;
  link: string | null;
  text: string;
  created_at: Date;
}

/**
 * Returns what announces all messages that were kept since the last time; the first time, since now. Times are the
 * database's, whose clock need not be ours.
 */
export function createAnnouncer(database: Database, log: DeliveryLog): () => Promise<void> {
  const announced = new Map<string, Date>();
  let since: Date | undefined;

  return async () => {
    since ??= await databaseTime(database);
    let kept: KeptMessage[];
    do {
      kept = await database.query<KeptMessage>(keptSince(since, [...announced.keys()]));
      for (const message of kept) {
        announce(log, message);
        announced.set(message.id, message.created_at);
      }
    } while (kept.length === PAGE);
    const last = [...announced.values()].reduce((one, other) => (one > other ? one : other), since);
    since = new Date(Math.max(since.getTime(), last.getTime() - LOOK_BACK_MS));
    for (const [id, createdAt] of announced) if (createdAt < since) announced.delete(id);
  };
}

async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.query<{ now: Date }>({ name: 'messages_now', text: 'select now() as now' });
  return row?.now ?? new Date();
}

function keptSince(since: Date, announced: string[]): Statement {
  return {
    name: 'messages_kept_since',
    text: `select id, channel, kind, recipient, link, text_body as text, created_at from greenroom.messages
      where state = 'kept' and created_at >= $1 and id <> all($2::uuid[]) order by created_at limit $3`,
    values: [since, announced, PAGE],
  };
}

function announce(log: DeliveryLog, { channel, kind, recipient, link, text }: KeptMessage): void {
  const content = link === null ? { text: text.trim() } : { link };
  log.info({ channel, kind, recipient, ...content }, 'message kept');
}
