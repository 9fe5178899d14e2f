/**
 * A connection of its own that listens to a channel (LISTEN and NOTIFY), and comes back by itself when it is lost.
 * What is notified in between is not heard: whoever listens has to look for itself after each connection.
 */
import pg from 'pg';
import { quoteIdentifier } from './identifier.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const CLOSE_PATIENCE_MS = 1000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 32_000;

/** Options of {@link listen}. `url` names role, password and database. */
interface ListenOptions {
  url: string;
  channel: string;
  applicationName: string;
  onNotification: (payload: string) => void;
  /** Listening has begun, for the first time or once more. Nothing notified after this is missed. */
  onListening: () => void;
  /** The connection was lost, or could not be made. Another one is tried after a pause, in milliseconds. */
  onLost: (error: Error, pauseMs: number) => void;
  /** Pause after the first failure, in milliseconds; each further one is twice as long. One second if not given. */
  firstPauseMs?: number;
}

/** Something that listens. */
export interface Listener {
  /** Stops listening; nothing is called any more. */
  close(): Promise<void>;
}

/** Begins to listen, and goes on until it is closed. */
export function listen(options: ListenOptions): Listener {
  const { firstPauseMs = FIRST_PAUSE_MS } = options;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  function retry(error: Error): void {
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    timer = setTimeout(connectOnceMore, pauseMs);
    options.onLost(error, pauseMs);
  }

  function connect(): void {
    const current = createClient(options);
    client = current;
    // A connection can say several times that it is lost; the first time counts.
    const lose = (error: Error) => {
      if (client !== current || isClosed) return;
      client = undefined;
      void current.end().catch(() => undefined);
      retry(error);
    };
    current.on('error', lose);
    current.on('end', () => lose(new Error('the connection was closed')));
    current.on('notification', ({ payload }) => {
      if (client === current && !isClosed) options.onNotification(payload ?? '');
    });
    begin(current).then(() => {
      if (client !== current || isClosed) return;
      failures = 0;
      options.onListening();
    }, lose);
  }

  /** A certificate that cannot be read now may be there later. */
  function connectOnceMore(): void {
    try {
      connect();
    } catch (error) {
      retry(error as Error);
    }
  }

  async function begin(current: pg.Client): Promise<void> {
    await current.connect();
    await current.query(`listen ${quoteIdentifier(options.channel)}`);
  }

  connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (client !== undefined) await endWithPatience(client);
    },
  };
}

/** A server that has gone silent does not say goodbye. */
async function endWithPatience(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  const late = setTimeout(() => stream.destroy(), CLOSE_PATIENCE_MS);
  await client.end().catch(() => undefined);
  clearTimeout(late);
}

function createClient({ url, applicationName }: ListenOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // Nothing is ever sent: only this finds out that the other end is gone without a word.
    keepAlive: true,
  });
}
