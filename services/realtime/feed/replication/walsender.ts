/**
 * One replication connection: a temporary slot that lives and dies with it, what the server sends, and what it is told.
 * Knows nothing about what to do when it is lost: ./stream.ts does.
 */
import { randomBytes } from 'node:crypto';
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import pg from 'pg';
import { type Lsn, readWalMessage, writeStatusUpdate } from './wal-message.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const CLOSE_PATIENCE_MS = 2000;
/** The server answers each status at once: one that has not answered so many is gone. */
const MISSED_ANSWERS = 3;
/** The texts of values must not depend on settings of the database or the role. */
const SETTINGS = {
  DateStyle: 'ISO,MDY',
  TimeZone: 'UTC',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

/** Options of {@link openWalsender}. */
interface WalsenderOptions {
  /** Of a role with the attribute REPLICATION. */
  url: string;
  /** Those that exist are streamed. */
  publications: readonly string[];
  /** The plugin's message. Bytes are valid only until it returns. An error that it throws ends the connection. */
  onData: (data: Buffer) => void;
  /** The server has nothing to tell before this position. */
  onIdle: (end: Lsn) => void;
  /** Once, when the connection is lost; not after `close`. */
  onLost: (error: Error) => void;
  /** How often the server is told how far we are, in milliseconds; below its `wal_sender_timeout`. */
  statusEveryMs: number;
  /** Breaks off the opening, which waits for transactions that were running when it began. */
  signal: AbortSignal;
}

/** A streaming connection. */
export interface Walsender {
  /** Which of the publications it streams. */
  readonly publications: readonly string[];
  /** Everything before `lsn` is done with: the server need not keep it. Told with the next status. */
  acknowledge(lsn: Lsn): void;
  /** Stops reading, so that the server has to wait. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** The parts of pg's connection that it keeps undocumented. */
interface WireConnection {
  stream: { pause(): void; resume(): void; destroy(): void };
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  once(event: 'replicationStart', listener: () => void): void;
  end(): void;
  sendCopyFromChunk(chunk: Buffer): void;
}

/** Resolves when it streams: what is committed from now on will come. Rejects where that cannot be had. */
export async function openWalsender(options: WalsenderOptions): Promise<Walsender> {
  const client = new pg.Client(clientConfig(options.url));
  const { connection } = client as unknown as { connection: WireConnection };
  let isOver = false;
  let acknowledged: Lsn = 0n;
  let isPaused = false;
  let heardAt = performance.now();
  let status: NodeJS.Timeout | undefined;

  function end(): void {
    isOver = true;
    clearInterval(status);
    // A polite end would wait for a server that may be gone.
    connection.stream.destroy();
  }

  /** When the server has closed its side, the slot is gone as well. */
  async function endPolitely(): Promise<void> {
    if (isOver) return;
    isOver = true;
    clearInterval(status);
    const late = setTimeout(() => connection.stream.destroy(), CLOSE_PATIENCE_MS);
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    connection.stream.resume();
    connection.end();
    await ended;
    clearTimeout(late);
  }

  function lose(error: Error): void {
    if (isOver) return;
    end();
    options.onLost(error);
  }

  function tell(wantsReply: boolean): void {
    if (!isOver) connection.sendCopyFromChunk(writeStatusUpdate(acknowledged, Date.now(), wantsReply));
  }

  function receive(chunk: Buffer): void {
    heardAt = performance.now();
    const message = readWalMessage(chunk);
    if (message?.kind === 'data') options.onData(message.data);
    if (message?.kind !== 'keepalive') return;
    options.onIdle(message.end);
    if (message.wantsReply) tell(false);
  }

  function checkAlive(): void {
    const isSilent = !isPaused && performance.now() - heardAt > options.statusEveryMs * MISSED_ANSWERS;
    if (isSilent) lose(new Error('the server has gone silent'));
    else tell(true);
  }

  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection was closed')));
  connection.on('copyData', ({ chunk }) => {
    if (isOver) return;
    try {
      receive(chunk);
    } catch (error) {
      lose(error as Error);
    }
  });

  let publications: string[];
  options.signal.addEventListener('abort', end, { once: true });
  try {
    options.signal.throwIfAborted();
    await client.connect();
    publications = await findPublications(client, options.publications);
    await startReplication(client, connection, publications, lose);
  } catch (error) {
    end();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', end);
  }
  status = setInterval(checkAlive, options.statusEveryMs);
  return {
    publications,
    acknowledge(lsn) {
      if (lsn > acknowledged) acknowledged = lsn;
    },
    pause() {
      isPaused = true;
      connection.stream.pause();
    },
    resume() {
      isPaused = false;
      heardAt = performance.now();
      connection.stream.resume();
    },
    close: () => endPolitely(),
  };
}

function clientConfig(url: string): pg.ClientConfig {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: url,
    application_name: 'greenroom realtime, replication',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    options: settings.join(' '),
    replication: 'database',
  } as pg.ClientConfig;
}

/** One that does not exist would end the stream at the first change. */
async function findPublications(client: pg.Client, names: readonly string[]): Promise<string[]> {
  // A walsender takes no parameters.
  const list = names.map(quoteLiteral).join(', ');
  const { rows } = await client.query(`select pubname from pg_publication where pubname in (${list})`);
  if (rows.length === 0) throw new Error(`there is no publication ${names.join(' or ')}`);
  return rows.map(({ pubname }) => String(pubname));
}

/** The query that starts it has no end but the stream's. */
async function startReplication(
  client: pg.Client,
  connection: WireConnection,
  publications: readonly string[],
  lose: (error: Error) => void,
): Promise<void> {
  const slot = quoteIdentifier(`greenroom_${randomBytes(8).toString('hex')}`);
  // Replication commands are known in upper case only.
  await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
  const names = quoteLiteral(publications.map(quoteIdentifier).join(','));
  const started = new Promise<void>((resolve) => connection.once('replicationStart', resolve));
  const ended = client.query(
    `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names ${names})`,
  );
  const over = ended.then(() => {
    throw new Error('the server has ended the stream');
  });
  over.catch(lose);
  await Promise.race([started, over]);
}
