/**
 * Claims and sends the messages of one sender. Each sender has its own claims, so SMS do not wait for a slow mail
 * server. This module performs claim → send → record the outcome; its caller decides when.
 */
import type { Database, Statement } from '@greenroom/postgres';
import { backoffMs, giveUpBefore } from './backoff.ts';
import type { DeliveryLog } from './log.ts';
import { type ClaimedMessage, claimDue, giveUp, markSent, nextDue, scheduleRetry } from './queue.ts';
import type { Sender, SendOutcome } from './sender.ts';

/** Time for which a message belongs to the node that claimed it. */
const LEASE_MS = 120_000;
/** An attempt ends well before its lease, so that no other attempt begins while it still runs. */
const ATTEMPT_MS = 60_000;
const BATCH = 10;

interface SendOptions {
  database: Database;
  sender: Sender;
  log: DeliveryLog;
  now: () => Date;
  /** No message is claimed after it aborts. */
  closing: AbortSignal;
  /** Aborts the attempts in progress. */
  stop: AbortSignal;
}

/** Sends all messages that are due. Returns the milliseconds until the next one is due; undefined if none is queued. */
export async function sendDue(options: SendOptions): Promise<number | undefined> {
  const { database, sender, now, closing } = options;
  for (;;) {
    const claimedAt = now();
    const leaseUntil = new Date(claimedAt.getTime() + LEASE_MS);
    const due = await database.query<ClaimedMessage>(
      claimDue({ channels: sender.channels, now: claimedAt, leaseUntil, limit: BATCH }),
    );
    await Promise.all(due.map((message) => deliver(options, message, leaseUntil)));
    if (due.length < BATCH || closing.aborted) break;
  }
  const [row] = await database.query<{ next: Date | null }>(nextDue(sender.channels));
  return row?.next ? row.next.getTime() - now().getTime() : undefined;
}

/**
 * Sends one message and records the outcome. Never rejects: if the outcome cannot be recorded, the message is due again
 * when its lease ends.
 */
async function deliver(options: SendOptions, message: ClaimedMessage, leaseUntil: Date): Promise<void> {
  const outcome = await attempt(options, message);
  const recorded = outcomeStatement(outcome, message, { leaseUntil, now: options.now() });
  if (!outcome.isSent) logFailure(options.log, message, outcome.reason, recorded.isFinal);
  await options.database.query(recorded.statement).catch((error: unknown) => {
    options.log.warn(
      { message: message.id, reason: reasonOf(error) },
      'recording the outcome of a message failed; the message may be sent again',
    );
  });
}

async function attempt({ sender, stop }: SendOptions, message: ClaimedMessage): Promise<SendOutcome> {
  try {
    return await sender.send(message, AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_MS)]));
  } catch (error) {
    return { isSent: false, reason: reasonOf(error), isPermanent: false };
  }
}

function outcomeStatement(
  outcome: SendOutcome,
  { id, attempts, created_at }: ClaimedMessage,
  { leaseUntil, now }: { leaseUntil: Date; now: Date },
): { statement: Statement; isFinal: boolean } {
  if (outcome.isSent) return { statement: markSent(id, outcome.providerId, now), isFinal: false };
  const failed = { id, leaseUntil, reason: outcome.reason, now };
  if (outcome.isPermanent || created_at <= giveUpBefore(now)) {
    return { statement: giveUp(failed), isFinal: true };
  }
  const nextAttempt = new Date(now.getTime() + backoffMs(attempts + 1, Math.random()));
  return { statement: scheduleRetry(failed, nextAttempt), isFinal: false };
}

function logFailure(
  log: DeliveryLog,
  { id, channel, attempts }: ClaimedMessage,
  reason: string,
  isFinal: boolean,
) {
  const text = isFinal ? 'message failed permanently' : 'message could not be sent; it is retried';
  log.warn({ message: id, channel, attempts: attempts + 1, reason }, text);
}

/** Returns the reason of an error, including that of `fetch`, which is in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: { code?: unknown } };
  return cause?.code === undefined ? error.message : `${error.message}: ${cause.code}`;
}
