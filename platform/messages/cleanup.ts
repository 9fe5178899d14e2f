/** What is forgotten in time: the mailbox is for people who try things out, the outbox for messages on their way. */
import type { Statement } from '@greenroom/postgres';
import { giveUpBefore } from './back-off.ts';
import type { Channel } from './message.ts';

const DAY_MS = 24 * 3_600_000;
const DONE_DAYS = 7;
/** The mailbox keeps the newest ones. */
export const MOST_KEPT = 1000;

/** All of it. @param channels those that are sent from here */
export function cleanUp(now: Date, channels: readonly Channel[]): Statement[] {
  return [forgetOld(now), forgetKept(), giveUpAbandoned(now, channels)];
}

function forgetOld(now: Date): Statement {
  return {
    name: 'messages_forget_old',
    text: `delete from greenroom.messages where state <> 'queued' and created_at < $1`,
    values: [new Date(now.getTime() - DONE_DAYS * DAY_MS)],
  };
}

function forgetKept(): Statement {
  return {
    name: 'messages_forget_kept',
    text: `delete from greenroom.messages where id in (
        select id from greenroom.messages where state = 'kept' order by created_at desc, id offset $1)`,
    values: [MOST_KEPT],
  };
}

/** Queued for a mail server or provider that is not configured any more: their codes must not lie around either. */
function giveUpAbandoned(now: Date, channels: readonly Channel[]): Statement {
  return {
    name: 'messages_give_up_abandoned',
    text: `update greenroom.messages set state = 'failed', last_error = 'nothing is configured to send it', updated_at = $1,
        text_body = '', html_body = null, link = null
      where state = 'queued' and created_at <= $2 and next_attempt_at <= $1 and channel <> all($3)`,
    values: [now, giveUpBefore(now), channels],
  };
}
