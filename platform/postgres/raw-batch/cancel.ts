/** Cancels the running statement of a connection (PostgreSQL's documentation, "Canceling Requests in Progress"). */
import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type { CancelSignal } from './cancel-signal.ts';

/** Address of the server and key of the server process. Undocumented, but used by pg for the same purpose. */
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

/** A request that takes longer is abandoned, because the connection cannot be used until the request has ended. */
const REQUEST_TIMEOUT_MS = 5000;
/**
 * The server ignores a cancel request that arrives before the statement has begun, so another request is sent after
 * this delay.
 */
const CANCEL_AGAIN_MS = 500;

/**
 * Waits for a batch, and cancels it when `signal` aborts. Settles as the batch does, but only after the last cancel
 * request has ended, so that it cannot hit the next query of the connection.
 */
export async function cancelOnAbort<T>(
  client: pg.Client,
  running: Promise<T>,
  signal: CancelSignal,
): Promise<T> {
  // Created on demand, because all requests come through this function and hardly any is cancelled.
  let ended: AbortController | undefined;
  let canceling: Promise<void> | undefined;
  const onAbort = () => {
    ended = new AbortController();
    canceling = cancelUntilEnded(client, ended.signal);
  };
  signal.onabort = onAbort;
  try {
    return await running;
  } finally {
    signal.onabort = null;
    ended?.abort();
    await canceling;
  }
}

/** Sends cancel requests for a connection, one after the other, until `ended` aborts. Never rejects. */
export async function cancelUntilEnded(client: pg.Client, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sendCancelRequest(client);
    if (!ended.aborted) await delay(CANCEL_AGAIN_MS, ended);
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Sends a cancel request on a separate connection. Resolves when the server has closed that connection, which it does
 * after it has acted, so that the request cannot hit a later query. Also resolves if the server cannot be reached.
 * Never rejects.
 */
function sendCancelRequest(client: pg.Client): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as CancelTarget;
  const connection = new pg.Connection({ ssl } as never) as unknown as Connection;
  return new Promise((resolve) => {
    const timeout = setTimeout(() => connection.stream.destroy(), REQUEST_TIMEOUT_MS);
    connection.on('error', () => connection.stream.destroy());
    connection.on('end', () => {
      clearTimeout(timeout);
      resolve();
    });
    // Uses TLS if the connection itself does, because a proxy may reject plain connections.
    connection.on(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
    if (ssl) connection.on('connect', () => (connection as unknown as { requestSsl(): void }).requestSsl());
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
