/** Reads messages, for administrators. */
import type { Database } from '@greenroom/postgres';

/** A message as administrators see it. */
export interface StoredMessage {
  id: string;
  channel: string;
  kind: string;
  recipient: string;
  subject: string | null;
  text_body: string;
  html_body: string | null;
  link: string | null;
  state: 'queued' | 'sent' | 'kept' | 'failed';
  attempts: number;
  last_error: string | null;
  created_at: Date;
}

/** The newest messages first. @param recipient part of it; '' is all */
export function listMessages(
  database: Database,
  { recipient = '', limit = 50 }: { recipient?: string; limit?: number },
): Promise<StoredMessage[]> {
  return database.query<StoredMessage>({
    name: 'messages_list',
    text: `select id, channel, kind, recipient, subject, text_body, html_body, link, state, attempts, last_error, created_at
      from greenroom.messages where strpos(recipient, $1) > 0 or $1 = '' order by created_at desc limit $2`,
    values: [recipient, limit],
  });
}
