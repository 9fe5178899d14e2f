/**
 * Delivers what is in the outbox. Several nodes may share one outbox: a message is claimed by moving its next attempt
 * into the future, so whatever a node had in hand when it was killed is tried again. That a message arrives twice is
 * possible; that one is lost is not.
 */
import type { Database, Statement } from '@greenroom/postgres';

/** A message that is due. */
export interface OutgoingMessage {
  id: string;
  recipient: string;
  subject: string | null;
  text_body: string;
  html_body: string | null;
  attempts: number;
}

/** Sends one message; rejects where it could not. */
export interface Sender {
  send(message: OutgoingMessage): Promise<void>;
  /** Whether there is no sense in trying again. */
  isPermanent(error: unknown): boolean;
}

/** What delivery tells the log. */
export interface DeliveryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Options of {@link startDelivery}. `mail` is undefined where mails are kept. */
export interface DeliveryOptions {
  /** Logged in as the owner of the table. */
  database: Database;
  mail: Sender | undefined;
  log: DeliveryLog;
  now?: () => Date;
}

/** A running delivery. */
export interface Delivery {
  /** Looks for work at once. */
  wake(): void;
  /** Does what is due now, and resolves when it is done; for tests and for closing. */
  run(): Promise<void>;
  /** Stops, after what is being sent. */
  close(): Promise<void>;
}

const CLAIM_SECONDS = 120;
const BATCH = 10;
/** Looks even if nobody wakes it: for retries, and for messages of a node that was killed. */
const POLL_MS = 15_000;
/** Seconds until the next attempt; after these, hourly. */
const BACK_OFF = [5, 30, 120, 600, 1800];
const HOUR = 3600;
const GIVE_UP_AFTER_HOURS = 24;
const KEPT_MESSAGES = 1000;
const KEPT_DAYS = 7;

/** Starts to deliver. */
export function startDelivery({ database, mail, log, now = () => new Date() }: DeliveryOptions): Delivery {
  let announced = now().toISOString();
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;

  async function work(): Promise<void> {
    announced = await announceKept(database, log, announced);
    await database.query(forgetOld());
    if (mail === undefined) return;
    for (;;) {
      const due = await database.query<OutgoingMessage>(claimDue(now()));
      await Promise.all(due.map((message) => deliver(mail, message)));
      if (due.length < BATCH || isClosed) return;
    }
  }

  async function deliver(sender: Sender, message: OutgoingMessage): Promise<void> {
    try {
      await sender.send(message);
      await database.query(markSent(message.id, now()));
    } catch (error) {
      const { id, attempts } = message;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ message: id, attempts: attempts + 1, reason }, 'a message could not be sent');
      await database.query(markFailed(message, reason, sender.isPermanent(error), now()));
    }
  }

  function run(): Promise<void> {
    isWanted = true;
    running ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    })().finally(() => {
      running = undefined;
    });
    return running;
  }

  const attempt = () => {
    if (isClosed) return;
    run().catch((error: unknown) => log.warn({ reason: String(error) }, 'the outbox could not be read'));
  };
  const timer = setInterval(attempt, POLL_MS);
  timer.unref();
  attempt();

  return {
    wake: attempt,
    run,
    async close() {
      isClosed = true;
      isWanted = false;
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}

/**
 * One line for each message that goes nowhere, so that whoever tries things out finds the link. Times are texts: a
 * `Date` has no microseconds, and the last message would be announced again and again.
 */
async function announceKept(database: Database, log: DeliveryLog, since: string): Promise<string> {
  const kept = await database.query<{
    channel: string;
    kind: string;
    recipient: string;
    link: string | null;
    text: string;
    created_at: string;
  }>({
    name: 'messages_kept_since',
    text: `select channel, kind, recipient, link, text_body as text, created_at::text from greenroom.messages m
      where state = 'kept' and m.created_at > $1 order by m.created_at limit 100`,
    values: [since],
  });
  for (const { channel, kind, recipient, link, text } of kept) {
    log.info({ channel, kind, recipient, link: link ?? text.trim() }, 'message kept');
  }
  return kept.at(-1)?.created_at ?? since;
}

function claimDue(now: Date): Statement {
  return {
    name: 'messages_claim_due',
    text: `update greenroom.messages m set next_attempt_at = $1::timestamptz + make_interval(secs => $2)
      from (
        select id from greenroom.messages where state = 'queued' and channel = 'mail' and next_attempt_at <= $1
        order by next_attempt_at limit $3 for update skip locked
      ) due
      where m.id = due.id
      returning m.id, m.recipient, m.subject, m.text_body, m.html_body, m.attempts`,
    values: [now, CLAIM_SECONDS, BATCH],
  };
}

/** What was sent held codes: they must not lie around. */
function markSent(id: string, now: Date): Statement {
  return {
    name: 'messages_mark_sent',
    text: `update greenroom.messages set state = 'sent', attempts = attempts + 1, last_error = null, text_body = '',
        html_body = null, link = null, updated_at = $2 where id = $1`,
    values: [id, now],
  };
}

function markFailed(
  { id, attempts }: OutgoingMessage,
  reason: string,
  isPermanent: boolean,
  now: Date,
): Statement {
  const seconds = (BACK_OFF[attempts] ?? HOUR) * (1 + Math.random() / 10);
  const isOver = '($5 or created_at < $4::timestamptz - make_interval(hours => $6))';
  return {
    name: 'messages_mark_failed',
    text: `update greenroom.messages set
        attempts = attempts + 1, last_error = left($2, 1000), updated_at = $4,
        next_attempt_at = $4::timestamptz + make_interval(secs => $3),
        state = case when ${isOver} then 'failed' else state end,
        text_body = case when ${isOver} then '' else text_body end,
        html_body = case when ${isOver} then null else html_body end,
        link = case when ${isOver} then null else link end
      where id = $1`,
    values: [id, reason, seconds, now, isPermanent, GIVE_UP_AFTER_HOURS],
  };
}

/** Kept messages are for people who try things out, not for ever. */
function forgetOld(): Statement {
  return {
    name: 'messages_forget_old',
    text: `delete from greenroom.messages where state <> 'queued' and (
        created_at < now() - make_interval(days => $1)
        or created_at < (select created_at from greenroom.messages order by created_at desc offset $2 limit 1)
      )`,
    values: [KEPT_DAYS, KEPT_MESSAGES],
  };
}
