/**
 * The connection of a node to the tables of requests and cron jobs. It holds an advisory lock while it is active, so that one
 * node at a time does the work; the others wait for the lock. A lost connection releases the lock, and is opened again.
 */
import type { Logger } from '@greenroom/log';
import { endWithTimeout, quoteIdentifier } from '@greenroom/postgres';
import pg from 'pg';
import { createQuery, type Query } from './query.ts';

/** `net._is_running` looks for this lock. */
const LOCK = [1_735_553_646, 1];
/** How often a node that waits tries to get the lock. */
const STANDBY_MS = 2000;
const CONNECTION_TIMEOUT_MS = 10_000;
const INITIAL_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 32_000;
/** A trigger or a lock of a project does not stop the other requests for longer. */
const SETTINGS = `set statement_timeout = '60s'; set lock_timeout = '10s'; set search_path = ''`;

/** Work on tables while the connection is active. */
export interface Work {
  /** Called for each notification. */
  wake(): void;
  /** Starts nothing further, and waits a limited time for work in progress. */
  finish(): Promise<void>;
  /** Ends the work in progress, because the connection is lost. */
  abort(): void;
}

/** Options of {@link openJobsSession}. */
interface SessionOptions {
  /** Contains role, password and database. */
  url: string;
  log: Pick<Logger, 'warn'>;
  /** Start to work on an active connection, by the channel whose notifications wake the work. */
  works: Readonly<Record<string, (query: Query) => Work>>;
  /** Called when this node becomes active, and when it no longer is. */
  onActive: (isActive: boolean) => void;
}

/** An open session. */
interface JobsSession {
  /** Throws while no connection is open. */
  requireConnected(): void;
  /** Finishes the work in progress, and releases the lock. */
  close(): Promise<void>;
}

/** Opens the session. The connection is opened in the background. */
export function openJobsSession({ url, log, works, onActive }: SessionOptions): JobsSession {
  let client: pg.Client | undefined;
  /** Empty unless this node is active. */
  let active: ReadonlyMap<string, Work> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let isConnected = false;
  let isClosed = false;
  let failures = 0;

  function connect(): void {
    const current = new pg.Client({
      connectionString: url,
      application_name: 'greenroom jobs',
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
    });
    client = current;
    // A connection can report its loss several times; only the first report counts.
    const onLost = (error: Error) => {
      if (client !== current || isClosed) return;
      client = undefined;
      void current.end().catch(() => undefined);
      reconnectAfter(error);
    };
    current.on('error', onLost);
    current.on('end', () => onLost(new Error('the connection was closed')));
    current.on('notification', ({ channel }) => active.get(channel)?.wake());
    prepare(current).then(() => tryToActivate(current, onLost), onLost);
  }

  function reconnectAfter(error: Error): void {
    isConnected = false;
    if (active.size > 0) onActive(false);
    for (const work of active.values()) work.abort();
    active = new Map();
    const pauseMs = Math.min(INITIAL_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    failures += 1;
    log.warn(
      { reason: error.message, pauseMs },
      'HTTP requests and jobs of SQL cannot be read; it is retried',
    );
    clearTimeout(timer);
    timer = setTimeout(connect, pauseMs);
  }

  async function prepare(current: pg.Client): Promise<void> {
    await current.connect();
    const listens = Object.keys(works).map((channel) => `listen ${quoteIdentifier(channel)}`);
    await current.query([SETTINGS, ...listens].join('; '));
    if (client !== current) return;
    isConnected = true;
    failures = 0;
  }

  /** Waits with a timer instead of a blocking statement, which would hold back the clean-up of all tables. */
  async function tryToActivate(current: pg.Client, onLost: (error: Error) => void): Promise<void> {
    try {
      if (client !== current || isClosed) return;
      const { rows } = await current.query('select pg_catalog.pg_try_advisory_lock($1, $2) as locked', LOCK);
      if (client !== current || isClosed) return;
      if (!rows[0]?.locked) {
        timer = setTimeout(() => void tryToActivate(current, onLost), STANDBY_MS);
        return;
      }
      const query = createQuery(current);
      active = new Map(Object.entries(works).map(([channel, open]) => [channel, open(query)]));
      onActive(true);
      for (const work of active.values()) work.wake();
    } catch (error) {
      onLost(error as Error);
    }
  }

  connect();
  return {
    requireConnected() {
      if (!isConnected) throw new Error('the connection to HTTP requests and jobs of SQL is not open');
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(Array.from(active.values(), (work) => work.finish()));
      if (active.size > 0) onActive(false);
      if (client) await endWithTimeout(client);
    },
  };
}
