/** A database with a mailbox and its servers, and conversations with them over real sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createOutbox, type Message } from '@greenroom/messages';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { type MailboxServers, openMailboxServers } from '../open-servers.ts';

/** A mailbox with all servers. */
export interface TestMailbox {
  database: TestDatabase;
  servers: MailboxServers & { smtpPort: number; pop3Port: number };
  /** Errors that the servers have reported. */
  errors: unknown[];
  /** Keeps a mail of the instance, and returns its id. */
  keep(mail: Partial<Message> & Pick<Message, 'recipient'>): Promise<string>;
  /** Requests a path of the HTTP API. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  json<T = Record<string, unknown>>(path: string, init?: RequestInit): Promise<T>;
  close(): Promise<void>;
}

export async function startTestMailbox(): Promise<TestMailbox> {
  const database = await createTestDatabase();
  const errors: unknown[] = [];
  const {
    smtpPort = 0,
    pop3Port = 0,
    ...servers
  } = await openMailboxServers({
    database: database.admin,
    ports: { http: 0, smtp: 0, pop3: 0 },
    sender: { name: 'Room', address: 'room@example.org' },
    pageUrl: 'http://localhost:1/admin/mailbox',
    version: '1.2.3',
    onError: (error) => errors.push(error),
  });
  const request = (path: string, init?: RequestInit) =>
    fetch(`${servers.url}${path}`, { redirect: 'manual', ...init });
  return {
    database,
    errors,
    servers: { ...servers, smtpPort, pop3Port },
    async keep(mail) {
      const message = {
        channel: 'mail',
        kind: 'recovery',
        subject: 'Hello',
        text: 'Code 123456',
        ...mail,
      } as const;
      await database.auth.query(createOutbox({ delivers: { mail: false, sms: false } }).put(message));
      const [row] = await database.admin.query<{ id: string }>({
        text: 'select id from greenroom.messages order by created_at desc limit 1',
      });
      return row?.id ?? '';
    },
    fetch: request,
    json: async <T>(path: string, init?: RequestInit) => (await (await request(path, init)).json()) as T,
    async close() {
      await servers.close();
      await database.drop();
    },
  };
}

/** A raw connection. */
export interface Conversation {
  socket: Socket;
  /** Resolves with the text received since the last call, once it matches. Rejects if the connection ends before. */
  until(pattern: RegExp): Promise<string>;
  /** Sends a line, and resolves with the reply. */
  say(line: string, pattern?: RegExp): Promise<string>;
  /** Resolves when the server has closed the connection. */
  ended: Promise<unknown>;
}

export async function converse(port: number): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1');
  const ended = once(socket, 'close').catch(() => undefined);
  let received = '';
  let isEnded = false;
  let notify = () => {};
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    received += data.toString('latin1');
    notify();
  });
  socket.once('close', () => {
    isEnded = true;
    notify();
  });
  await once(socket, 'connect');
  const conversation: Conversation = {
    socket,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        notify = () => {
          if (pattern.test(received)) {
            const text = received;
            received = '';
            notify = () => {};
            resolve(text);
          } else if (isEnded) reject(new Error(`the connection has ended after ${JSON.stringify(received)}`));
        };
        notify();
      }),
    say(line, pattern = /\r\n$/) {
      socket.write(`${line}\r\n`);
      return conversation.until(pattern);
    },
  };
  return conversation;
}
