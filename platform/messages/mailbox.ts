/** Lists and deletes messages for administrators: kept ones, and sent or failed ones with their outcome. */
import type { Database, Statement } from '@greenroom/postgres';
import type { Channel } from './message.ts';

/** The states of messages. */
export const MESSAGE_STATES = ['queued', 'sent', 'kept', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A row of the list. */
export interface ListedMessage {
  id: string;
  channel: Channel;
  kind: string;
  recipient: string;
  subject: string | null;
  state: MessageState;
  attempts: number;
  last_error: string | null;
  created_at: Date;
  /** Null until a server or provider has accepted it. */
  sent_at: Date | null;
  /** When a queued message is due; null for the other states. */
  next_attempt_at: Date | null;
}

/** A whole message. The text of sent and failed messages has been erased. */
export interface StoredMessage extends ListedMessage {
  text_body: string;
  html_body: string | null;
  link: string | null;
  provider_id: string | null;
  updated_at: Date;
}

/** Filters and page of a list. */
export interface MessageQuery {
  /** Starts at 1. */
  page?: number;
  /** 1 to 200. */
  perPage?: number;
  /** Restricts the list to one channel. */
  channel?: Channel | undefined;
  /** Restricts the list to these states. Default: all. */
  states?: readonly MessageState[] | undefined;
  /** Part of recipient, subject or kind, case-insensitive; an empty text matches all messages. */
  search?: string;
}

/** One page of messages; `total` counts all pages. */
export interface MessagePage {
  messages: ListedMessage[];
  total: number;
}

/** Default number of messages on a page. */
const DEFAULT_PER_PAGE = 50;
/** Maximum number of messages on a page. */
export const MAX_PER_PAGE = 200;
const MAX_PAGE = 1_000_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LISTED = `id, channel, kind, recipient, subject, state, attempts, last_error, created_at,
  case when state = 'sent' then updated_at end as sent_at,
  case when state = 'queued' then next_attempt_at end as next_attempt_at`;
const MATCHES = `($1 = '' or strpos(lower(concat_ws(' ', recipient, subject, kind)), lower($1)) > 0)
  and ($2::text is null or channel = $2) and ($3::text[] is null or state = any($3))`;

/** Lists messages, newest first. */
export async function listMessages(database: Database, query: MessageQuery = {}): Promise<MessagePage> {
  const [messages = [], [count] = []] = await database.batch(listStatements(query));
  return { messages: messages as unknown as ListedMessage[], total: Number(count?.total ?? 0) };
}

/** Returns one message; undefined if it does not exist. */
export async function readMessage(database: Database, id: string): Promise<StoredMessage | undefined> {
  if (!UUID.test(id)) return undefined;
  const [message] = await database.query<StoredMessage>({
    name: 'messages_read',
    text: `select ${LISTED}, text_body, html_body, link, provider_id, updated_at
      from greenroom.messages where id = $1`,
    values: [id],
  });
  return message;
}

/** Deletes one message in any state; a queued one is not sent. Returns whether it existed. */
export async function deleteMessage(database: Database, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false;
  const deleted = await database.query({
    name: 'messages_delete',
    text: 'delete from greenroom.messages where id = $1 returning id',
    values: [id],
  });
  return deleted.length > 0;
}

/**
 * Makes a queued message due now. Returns whether it was queued. A message that is being sent at this moment may be sent
 * twice.
 */
export async function retryMessage(database: Database, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false;
  const due = await database.query({
    name: 'messages_retry',
    text: `update greenroom.messages set next_attempt_at = 'epoch' where id = $1 and state = 'queued' returning id`,
    values: [id],
  });
  return due.length > 0;
}

/** Makes all queued messages due now that wait for another attempt. Returns their number. */
export async function retryMessages(database: Database): Promise<number> {
  const due = await database.query({
    name: 'messages_retry_all',
    text: `update greenroom.messages set next_attempt_at = 'epoch'
      where state = 'queued' and attempts > 0 and next_attempt_at > now() returning id`,
  });
  return due.length;
}

/** Deletes all messages except for queued ones. */
export async function deleteDoneMessages(database: Database): Promise<void> {
  await database.query({
    name: 'messages_delete_done',
    text: `delete from greenroom.messages where state <> 'queued'`,
  });
}

function listStatements({ page = 1, perPage = DEFAULT_PER_PAGE, ...query }: MessageQuery): Statement[] {
  const limit = clamp(perPage, MAX_PER_PAGE);
  const offset = (clamp(page, MAX_PAGE) - 1) * limit;
  const filter = [query.search ?? '', query.channel ?? null, query.states ?? null];
  return [
    {
      name: 'messages_list',
      text: `select ${LISTED} from greenroom.messages where ${MATCHES}
        order by created_at desc, id limit $4 offset $5`,
      values: [...filter, limit, offset],
    },
    {
      name: 'messages_count',
      text: `select count(*) as total from greenroom.messages where ${MATCHES}`,
      values: filter,
    },
  ];
}

/** Converts to a whole number from 1 to `max`. */
function clamp(number: number, max: number): number {
  return Math.min(Math.max(Math.trunc(number) || 1, 1), max);
}
