/**
 * The mailbox for services. Their own logins may insert messages into the outbox but not read them, so that an error in
 * a service's SQL cannot expose a code. A service that provides the mailbox receives these functions only.
 */
import type { Database } from '@greenroom/postgres';
import {
  deleteDoneMessages,
  deleteMessage,
  listMessages,
  type MessagePage,
  type MessageQuery,
  readMessage,
  retryMessage,
  retryMessages,
  type StoredMessage,
} from './mailbox.ts';

/** The mailbox for administrators. Callers must have checked that the user is one. */
export interface Mailbox {
  /** Lists messages, newest first, without their contents. */
  list(query: MessageQuery): Promise<MessagePage>;
  /** Returns a whole message; undefined if it does not exist. */
  read(id: string): Promise<StoredMessage | undefined>;
  /** Deletes a message. Returns whether it existed. */
  remove(id: string): Promise<boolean>;
  /** Makes a queued message due now. Returns whether it was queued. Call `Outbox.wake` after it. */
  retry(id: string): Promise<boolean>;
  /** Makes all messages due now that wait for another attempt. Returns their number. */
  retryAll(): Promise<number>;
  /** Deletes all messages except for queued ones. */
  clear(): Promise<void>;
}

/** Opens the mailbox. @param database logged in as the owner of `greenroom.messages` */
export function openMailbox(database: Database): Mailbox {
  return {
    list: (query) => listMessages(database, query),
    read: (id) => readMessage(database, id),
    remove: (id) => deleteMessage(database, id),
    retry: (id) => retryMessage(database, id),
    retryAll: () => retryMessages(database),
    clear: () => deleteDoneMessages(database),
  };
}
