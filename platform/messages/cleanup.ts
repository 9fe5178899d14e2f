/** Deletes messages after their retention: the mailbox is meant for development, the outbox for messages in transit. */
import type { Statement } from '@greenroom/postgres';
import { giveUpBefore } from './backoff.ts';
import type { Channel } from './message.ts';

const DAY_MS = 24 * 3_600_000;
const DONE_DAYS = 7;
/** Number of newest messages that the mailbox keeps. */
export const MAX_KEPT = 1000;

/** Returns the statements of a clean-up. @param channels channels for which a sender is configured */
export function cleanUp(now: Date, channels: readonly Channel[]): Statement[] {
  return [deleteOld(now), deleteExcessKept(), failUndeliverable(now, channels)];
}

function deleteOld(now: Date): Statement {
  return {
    name: 'messages_forget_old',
    text: `delete from greenroom.messages where state <> 'queued' and created_at < $1`,
    values: [new Date(now.getTime() - DONE_DAYS * DAY_MS)],
  };
}

function deleteExcessKept(): Statement {
  return {
    name: 'messages_forget_kept',
    text: `delete from greenroom.messages where id in (
        select id from greenroom.messages where state = 'kept' order by created_at desc, id offset $1)`,
    values: [MAX_KEPT],
  };
}

/**
 * Fails messages that were queued for a mail server or provider that is no longer configured, and erases the codes in
 * them.
 */
function failUndeliverable(now: Date, channels: readonly Channel[]): Statement {
  return {
    name: 'messages_give_up_abandoned',
    text: `update greenroom.messages set state = 'failed', last_error = 'nothing is configured to send it', updated_at = $1,
        text_body = '', html_body = null, link = null
      where state = 'queued' and created_at <= $2 and next_attempt_at <= $1 and channel <> all($3)`,
    values: [now, giveUpBefore(now), channels],
  };
}
