/**
 * A dedicated connection that listens to a channel (LISTEN and NOTIFY) and reconnects when it is lost. Notifications
 * sent in between are lost: after each connection the listener has to read the current state.
 */
import pg from 'pg';
import { quoteIdentifier } from './identifier.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 1000;
const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 32_000;

/** Options of {@link listen}. `url` contains role, password and database. */
interface ListenOptions {
  url: string;
  channel: string;
  applicationName: string;
  onNotification: (payload: string) => void;
  /** Called whenever listening has begun, also after a reconnection. Later notifications are received. */
  onListening: () => void;
  /**
   * Called when the connection was lost or could not be opened. The next attempt follows after `pauseMs` milliseconds.
   */
  onLost: (error: Error, pauseMs: number) => void;
  /** Delay after the first failure, in milliseconds; doubled after each further one. Default: one second. */
  initialDelayMs?: number;
}

/** A running subscription to a channel. */
export interface Listener {
  /** Stops listening; no callback is called afterwards. */
  close(): Promise<void>;
}

/** Starts to listen, until it is closed. */
export function listen(options: ListenOptions): Listener {
  const { initialDelayMs = INITIAL_DELAY_MS } = options;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  function retry(error: Error): void {
    const pauseMs = Math.min(initialDelayMs * 2 ** failures, MAX_DELAY_MS);
    failures += 1;
    timer = setTimeout(reconnect, pauseMs);
    options.onLost(error, pauseMs);
  }

  function connect(): void {
    const current = createClient(options);
    client = current;
    // A connection can report its loss several times; only the first report counts.
    const onConnectionLost = (error: Error) => {
      if (client !== current || isClosed) return;
      client = undefined;
      void current.end().catch(() => undefined);
      retry(error);
    };
    current.on('error', onConnectionLost);
    current.on('end', () => onConnectionLost(new Error('the connection was closed')));
    current.on('notification', ({ payload }) => {
      if (client === current && !isClosed) options.onNotification(payload ?? '');
    });
    connectAndListen(current).then(() => {
      if (client !== current || isClosed) return;
      failures = 0;
      options.onListening();
    }, onConnectionLost);
  }

  /** Retries even if the client cannot be created: a certificate file that cannot be read now may exist later. */
  function reconnect(): void {
    try {
      connect();
    } catch (error) {
      retry(error as Error);
    }
  }

  async function connectAndListen(current: pg.Client): Promise<void> {
    await current.connect();
    await current.query(`listen ${quoteIdentifier(options.channel)}`);
  }

  connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (client !== undefined) await endWithTimeout(client);
    },
  };
}

/** Ends the connection without waiting for a server that no longer responds. */
export async function endWithTimeout(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  const timeout = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timeout);
}

function createClient({ url, applicationName }: ListenOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // This connection sends nothing, so only keep-alive detects that the server has disappeared without closing it.
    keepAlive: true,
  });
}
