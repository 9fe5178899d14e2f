/** Asks a server to end what runs on a connection (PostgreSQL's documentation, "Canceling Requests in Progress"). */
import type { EventEmitter } from 'node:events';
import pg from 'pg';

/** What a client knows of its server and its own process there. Undocumented, but used by pg for the same purpose. */
interface CancelTarget {
  host: string;
  port: number;
  ssl: boolean | object;
  processID: number;
  secretKey: number;
}

interface Connection extends EventEmitter {
  connect(portOrPath: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
  stream: { destroy(): void };
}

/** A server that does not answer must not hold up the connection that is waited for. */
const PATIENCE_MS = 5000;

/**
 * Sends a cancel request on a connection of its own. Resolves when the server has closed that, which it does after it has
 * acted, so that the request cannot meet a later query; also when the server cannot be reached. Never rejects.
 */
export function sendCancelRequest(client: pg.Client): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as CancelTarget;
  const connection = new pg.Connection({ ssl } as never) as unknown as Connection;
  return new Promise((resolve) => {
    const late = setTimeout(() => connection.stream.destroy(), PATIENCE_MS);
    connection.on('error', () => connection.stream.destroy());
    connection.on('end', () => {
      clearTimeout(late);
      resolve();
    });
    // With TLS as the connection itself has it: what stands between may let nothing else through.
    connection.on(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
    if (ssl) connection.on('connect', () => (connection as unknown as { requestSsl(): void }).requestSsl());
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
