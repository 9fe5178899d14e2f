/** Reads and deletes messages, for administrators: those that stay here, and what became of the others. */
import type { Database, Statement } from '@greenroom/postgres';
import type { Channel } from './message.ts';

/** A line of the list. */
export interface ListedMessage {
  id: string;
  channel: Channel;
  kind: string;
  recipient: string;
  subject: string | null;
  state: 'queued' | 'sent' | 'kept' | 'failed';
  attempts: number;
  last_error: string | null;
  created_at: Date;
  /** Null until a server or provider has it. */
  sent_at: Date | null;
}

/** A whole message. What was sent or given up has no text any more. */
export interface StoredMessage extends ListedMessage {
  text_body: string;
  html_body: string | null;
  link: string | null;
  provider_id: string | null;
  next_attempt_at: Date;
  updated_at: Date;
}

/** Which messages to list. */
export interface MessageQuery {
  /** From 1 on. */
  page?: number;
  /** 1 to 200. */
  perPage?: number;
  /** Only those that travel this way. */
  channel?: Channel | undefined;
  /** Part of recipient, subject or kind, upper or lower case; '' is all. */
  search?: string;
}

/** One page of messages; `total` counts all pages. */
export interface MessagePage {
  messages: ListedMessage[];
  total: number;
}

/** Messages on a page where nobody says how many. */
const DEFAULT_PER_PAGE = 50;
/** More are never on a page. */
export const MAX_PER_PAGE = 200;
const MAX_PAGE = 1_000_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LISTED = `id, channel, kind, recipient, subject, state, attempts, last_error, created_at,
  case when state = 'sent' then updated_at end as sent_at`;
const MATCHES = `($1 = '' or strpos(lower(concat_ws(' ', recipient, subject, kind)), lower($1)) > 0)
  and ($2::text is null or channel = $2)`;

/** The newest messages first. */
export async function listMessages(database: Database, query: MessageQuery = {}): Promise<MessagePage> {
  const [messages = [], [count] = []] = await database.batch(listStatements(query));
  return { messages: messages as unknown as ListedMessage[], total: Number(count?.total ?? 0) };
}

/** One message, or undefined where there is none. */
export async function readMessage(database: Database, id: string): Promise<StoredMessage | undefined> {
  if (!UUID.test(id)) return undefined;
  const [message] = await database.query<StoredMessage>({
    name: 'messages_read',
    text: `select ${LISTED}, text_body, html_body, link, provider_id, next_attempt_at, updated_at
      from greenroom.messages where id = $1`,
    values: [id],
  });
  return message;
}

/** Deletes one message, whatever became of it: one that still waits is not sent. Tells whether there was one. */
export async function deleteMessage(database: Database, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false;
  const deleted = await database.query({
    name: 'messages_delete',
    text: 'delete from greenroom.messages where id = $1 returning id',
    values: [id],
  });
  return deleted.length > 0;
}

/** Deletes all messages but those that wait to be sent. */
export async function deleteDoneMessages(database: Database): Promise<void> {
  await database.query({
    name: 'messages_delete_done',
    text: `delete from greenroom.messages where state <> 'queued'`,
  });
}

function listStatements({ page = 1, perPage = DEFAULT_PER_PAGE, ...query }: MessageQuery): Statement[] {
  const limit = within(perPage, MAX_PER_PAGE);
  const offset = (within(page, MAX_PAGE) - 1) * limit;
  const filter = [query.search ?? '', query.channel ?? null];
  return [
    {
      name: 'messages_list',
      text: `select ${LISTED} from greenroom.messages where ${MATCHES}
        order by created_at desc, id limit $3 offset $4`,
      values: [...filter, limit, offset],
    },
    {
      name: 'messages_count',
      text: `select count(*) as total from greenroom.messages where ${MATCHES}`,
      values: filter,
    },
  ];
}

/** A whole number from 1 to `most`. */
function within(number: number, most: number): number {
  return Math.min(Math.max(Math.trunc(number) || 1, 1), most);
}
