/** Opens the servers of the mailbox. Their code is loaded with the first connection, because many starts never use it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Database } from '@greenroom/postgres';
import type { FastifyInstance } from 'fastify';
import { LOOPBACK, type LoopbackServer, listen, portOf } from './loopback.ts';
import { type Mails, openMails } from './mails/mails.ts';
import type { MailboxConfig } from './settings.ts';

/** Options of {@link openMailboxServers}. */
interface MailboxOptions extends Pick<MailboxConfig, 'ports' | 'sender'> {
  /** Logged in as the owner of `greenroom.messages`. */
  database: Database;
  /** URL of the page of the mailbox. */
  pageUrl: string;
  /** Version of Greenroom. */
  version: string;
  onError: (error: unknown) => void;
}

/** The listening servers of the mailbox. */
export interface MailboxServers {
  /** URL of the HTTP API. */
  url: string;
  /** Undefined if the server is not configured. */
  smtpPort: number | undefined;
  pop3Port: number | undefined;
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 100;
const REQUEST_TIMEOUT_MS = 10_000;

/** Opens all servers; if one fails, those opened before are closed again. Rejects if a port is taken. */
export async function openMailboxServers(options: MailboxOptions): Promise<MailboxServers> {
  const { database, ports, sender, onError } = options;
  await using opened = new AsyncDisposableStack();
  const mails = openMails(database, sender);
  const http = await openHttp(options, mails);
  opened.defer(() => http.close());
  const smtp = ports.smtp === undefined ? undefined : await openSmtp({ port: ports.smtp, mails, onError });
  opened.defer(() => smtp?.close());
  const pop3 = ports.pop3 === undefined ? undefined : await openPop3({ port: ports.pop3, mails, onError });
  opened.defer(() => pop3?.close());
  const resources = opened.move();
  return {
    url: `http://${LOOPBACK}:${http.port}`,
    smtpPort: smtp?.port,
    pop3Port: pop3?.port,
    close: () => resources.disposeAsync(),
  };
}

async function openSmtp(options: Parameters<typeof import('./smtp/server.ts').startSmtpServer>[0]) {
  return (await import('./smtp/server.ts')).startSmtpServer(options);
}

async function openPop3(options: Parameters<typeof import('./pop3/server.ts').startPop3Server>[0]) {
  return (await import('./pop3/server.ts')).startPop3Server(options);
}

async function openHttp(options: MailboxOptions, mails: Mails): Promise<LoopbackServer> {
  const { ports, pageUrl, version, onError } = options;
  let api: Promise<FastifyInstance> | undefined;

  async function loadApi(): Promise<FastifyInstance> {
    const { createMailApi } = await import('./http/api.ts');
    return createMailApi({ mails, pageUrl, version, onError });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    api ??= loadApi();
    (await api).routing(request, response);
  }

  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
    },
    (request, response) => {
      respond(request, response).catch((error: unknown) => {
        onError(error);
        response.destroy();
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, ports.http);
  return {
    port: portOf(server),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await (await api)?.close();
    },
  };
}
