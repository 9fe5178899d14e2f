/**
 * The mailbox as services get it. Their own logins may put messages into the outbox and not read them, so that an error
 * in a service's SQL shows nobody a code; who shall serve the mailbox is handed these four functions and nothing more.
 */
import type { Database } from '@greenroom/postgres';
import {
  deleteDoneMessages,
  deleteMessage,
  listMessages,
  type MessagePage,
  type MessageQuery,
  readMessage,
  type StoredMessage,
} from './mailbox.ts';

/** What administrators do with messages. Whoever calls it has made sure that it is one. */
export interface Mailbox {
  /** The newest first, without what they say. */
  list(query: MessageQuery): Promise<MessagePage>;
  /** The whole of one; undefined where there is none. */
  read(id: string): Promise<StoredMessage | undefined>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
  /** All but those that wait to be sent. */
  clear(): Promise<void>;
}

/** Opens it. @param database logged in as the owner of `greenroom.messages` */
export function openMailbox(database: Database): Mailbox {
  return {
    list: (query) => listMessages(database, query),
    read: (id) => readMessage(database, id),
    remove: (id) => deleteMessage(database, id),
    clear: () => deleteDoneMessages(database),
  };
}
