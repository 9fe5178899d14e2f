/**
 * The statements by which delivery claims messages and records their outcome. Claiming a message sets its next attempt
 * to the end of a lease: if the node dies, its claim ends then. The end of the lease also identifies the claim, so that
 * a node that was too slow does not overwrite the outcome that another node has recorded since.
 */
import type { Statement } from '@greenroom/postgres';
import type { Channel } from './message.ts';
import type { OutgoingMessage } from './sender.ts';

/** A claimed message. `attempts` is the number of earlier attempts. */
export interface ClaimedMessage extends OutgoingMessage {
  attempts: number;
  created_at: Date;
}

/** The messages of a channel that wait to be sent. */
export interface OutboxDepth {
  channel: Channel;
  queued: number;
  /** Age of the oldest one. */
  oldest_seconds: number;
}

/** Selects {@link OutboxDepth} of each channel with queued messages. */
export function outboxDepth(): Statement {
  return {
    name: 'messages_depth',
    text: `select channel, count(*)::int as queued,
        greatest(0, extract(epoch from now() - min(created_at)))::float8 as oldest_seconds
      from greenroom.messages where state = 'queued' group by channel`,
  };
}

/** Claims up to `limit` messages that are due. Concurrent claims get different messages. */
export function claimDue(options: {
  channels: readonly Channel[];
  now: Date;
  leaseUntil: Date;
  limit: number;
}): Statement {
  return {
    name: 'messages_claim_due',
    text: `update greenroom.messages m set next_attempt_at = $3
      from (
        select id from greenroom.messages
        where state = 'queued' and channel = any($1) and next_attempt_at <= $2
        order by next_attempt_at limit $4 for update skip locked
      ) due
      where m.id = due.id
      returning m.id, m.channel, m.recipient, m.subject, m.text_body, m.html_body, m.code, m.attempts,
        m.created_at`,
    values: [options.channels, options.now, options.leaseUntil, options.limit],
  };
}

/** Selects the time at which the next message of these channels is due; `next` is null if none is queued. */
export function nextDue(channels: readonly Channel[]): Statement {
  return {
    name: 'messages_next_due',
    text: `select min(next_attempt_at) as next from greenroom.messages where state = 'queued' and channel = any($1)`,
    values: [channels],
  };
}

/**
 * Marks a message as sent, even if another node has claimed it since. Erases its text, which may contain codes and
 * links.
 */
export function markSent(id: string, providerId: string | undefined, now: Date): Statement {
  return {
    name: 'messages_mark_sent',
    text: `update greenroom.messages set state = 'sent', attempts = attempts + 1, last_error = null, provider_id = $2,
        text_body = '', html_body = null, link = null, code = null, updated_at = $3 where id = $1`,
    values: [id, providerId ?? null, now],
  };
}

interface FailedAttempt {
  id: string;
  leaseUntil: Date;
  reason: string;
  now: Date;
}

/** Schedules another attempt. */
export function scheduleRetry({ id, leaseUntil, reason, now }: FailedAttempt, nextAttempt: Date): Statement {
  return {
    name: 'messages_postpone',
    text: `update greenroom.messages set attempts = attempts + 1, last_error = left($3, 1000), updated_at = $4,
        next_attempt_at = $5 where id = $1 and state = 'queued' and next_attempt_at = $2`,
    values: [id, leaseUntil, reason, now, nextAttempt],
  };
}

/** Marks a message as failed, and erases its text as for sent messages. */
export function giveUp({ id, leaseUntil, reason, now }: FailedAttempt): Statement {
  return {
    name: 'messages_give_up',
    text: `update greenroom.messages set state = 'failed', attempts = attempts + 1, last_error = left($3, 1000),
        updated_at = $4, text_body = '', html_body = null, link = null, code = null
      where id = $1 and state = 'queued' and next_attempt_at = $2`,
    values: [id, leaseUntil, reason, now],
  };
}
