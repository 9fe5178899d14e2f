/**
 * The statements by which delivery takes messages and says what became of them. A message is claimed by moving its next
 * attempt to the end of a lease: whoever dies with it in hand loses it then. The end of the lease is also the proof of
 * the claim, so that who was too slow does not undo what another has done since.
 */
import type { Statement } from '@greenroom/postgres';
import type { Channel } from './message.ts';
import type { OutgoingMessage } from './sender.ts';

/** A claimed message. `attempts` are those before. */
export interface ClaimedMessage extends OutgoingMessage {
  attempts: number;
  created_at: Date;
}

/** Claims up to `limit` messages that are due. Two who ask at once get different ones. */
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
      returning m.id, m.channel, m.recipient, m.subject, m.text_body, m.html_body, m.attempts, m.created_at`,
    values: [options.channels, options.now, options.leaseUntil, options.limit],
  };
}

/** When the next message of these channels is due; `next` is null where there is none. */
export function nextDue(channels: readonly Channel[]): Statement {
  return {
    name: 'messages_next_due',
    text: `select min(next_attempt_at) as next from greenroom.messages where state = 'queued' and channel = any($1)`,
    values: [channels],
  };
}

/** It is sent, whoever has the claim by now. What it held were codes and links: they must not lie around. */
export function markSent(id: string, providerId: string | undefined, now: Date): Statement {
  return {
    name: 'messages_mark_sent',
    text: `update greenroom.messages set state = 'sent', attempts = attempts + 1, last_error = null, provider_id = $2,
        text_body = '', html_body = null, link = null, updated_at = $3 where id = $1`,
    values: [id, providerId ?? null, now],
  };
}

/** An attempt that came to nothing. */
interface FailedAttempt {
  id: string;
  leaseUntil: Date;
  reason: string;
  now: Date;
}

/** There will be another attempt. */
export function postpone({ id, leaseUntil, reason, now }: FailedAttempt, nextAttempt: Date): Statement {
  return {
    name: 'messages_postpone',
    text: `update greenroom.messages set attempts = attempts + 1, last_error = left($3, 1000), updated_at = $4,
        next_attempt_at = $5 where id = $1 and state = 'queued' and next_attempt_at = $2`,
    values: [id, leaseUntil, reason, now, nextAttempt],
  };
}

/** There will be no other attempt; blanked as what was sent. */
export function giveUp({ id, leaseUntil, reason, now }: FailedAttempt): Statement {
  return {
    name: 'messages_give_up',
    text: `update greenroom.messages set state = 'failed', attempts = attempts + 1, last_error = left($3, 1000),
        updated_at = $4, text_body = '', html_body = null, link = null
      where id = $1 and state = 'queued' and next_attempt_at = $2`,
    values: [id, leaseUntil, reason, now],
  };
}
