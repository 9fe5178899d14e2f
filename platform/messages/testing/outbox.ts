/** A database with an outbox, and deliveries that end with the test. */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import {
  createOutbox,
  createSmtpSender,
  type Delivery,
  type Message,
  type OutboxOptions,
  type Sender,
  type StoredMessage,
  startDelivery,
} from '../index.ts';

/** A line of the log: the details and the message. */
type LogLine = Record<string, unknown> & { level: 'info' | 'warn'; message: string };

/** The fixture of a delivery test. */
export interface OutboxFixture {
  database: TestDatabase;
  logged: LogLine[];
  /** Advances the clock of all deliveries. */
  advance(seconds: number): void;
  now(): Date;
  /** Inserts a message like a service does. */
  put(message: Message, delivers?: OutboxOptions['delivers']): Promise<unknown>;
  deliver(options: { mail?: Sender; sms?: Sender; closeTimeoutMs?: number; logsContent?: boolean }): Delivery;
  /** Delivers mails to a server on this machine. */
  deliverMail(port: number): Delivery;
  /** Returns all messages, oldest first. */
  rows(): Promise<StoredMessage[]>;
  close(): Promise<void>;
}

/**
 * Opens an outbox with a clock that starts now.
 * @param shared database whose messages are deleted at the end; default: a new database, which is dropped at the end
 */
export async function openOutboxFixture(shared?: TestDatabase): Promise<OutboxFixture> {
  const database = shared ?? (await createTestDatabase());
  const logged: LogLine[] = [];
  const opened: { close(): unknown }[] = [];
  let clock = new Date();
  const logAt = (level: LogLine['level']) => (details: object, message: string) =>
    void logged.push({ ...details, level, message });

  const deliver: OutboxFixture['deliver'] = ({ mail, sms, ...rest }) => {
    const log = { info: logAt('info'), warn: logAt('warn') };
    const delivery = startDelivery({
      database: database.admin,
      mail,
      sms,
      log,
      now: () => clock,
      ...rest,
    });
    opened.unshift(delivery);
    return delivery;
  };
  return {
    database,
    logged,
    advance(seconds) {
      clock = new Date(clock.getTime() + seconds * 1000);
    },
    now: () => clock,
    put: (message, delivers = { mail: true, sms: true }) =>
      database.auth.query(createOutbox({ delivers }).put(message)),
    deliver,
    deliverMail(port) {
      const sender = smtpSender(port);
      opened.unshift(sender);
      return deliver({ mail: sender });
    },
    rows: () =>
      database.admin.query<StoredMessage>({
        text: 'select * from greenroom.messages order by created_at, id',
      }),
    async close() {
      for (const one of opened) await one.close();
      if (shared) await shared.admin.query({ text: 'delete from greenroom.messages' });
      else await database.drop();
    },
  };
}

/** Creates a sender of mails from room@example.org to a server on this machine. */
export function smtpSender(port: number, login?: { user: string; pass: string }) {
  const sender = { name: 'Room', address: 'room@example.org' };
  return createSmtpSender({ host: '127.0.0.1', port, login, sender });
}
