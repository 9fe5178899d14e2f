/**
 * The log in PostgreSQL: a table, and a notification for each append with only the node and the sequence number. Every
 * role that can run SQL can receive and send notifications, but only this service can read and write the table.
 */
import { type Database, type Listener, listen, openDatabase, type Statement } from '@greenroom/postgres';
import { LRUCache } from 'lru-cache';
import type { LogEntry, LogReader, NodeLog, NodeTimings } from './log.ts';

const CHANNEL = 'greenroom_nodes';
const APPLICATION_NAME = 'greenroom nodes';
const CONNECTIONS = 2;
const INITIAL_DELAY_MS = 100;
const ENTRIES_PER_READ = 64;
/** Maximum number of nodes with a known position. Each start of a process counts as a new node. */
const MAX_NODES = 1000;

/** Appends only if the previous entry still exists, because a crash of the server empties the unlogged table. */
const APPEND = `
with kept as (
  insert into realtime.node_log (node, sequence, entry, is_last)
  select $1::text, $2::bigint, $3::bytea, $4::boolean
  where $5::bigint is null or exists (select from realtime.node_log where node = $1 and sequence = $5)
  on conflict do nothing
  returning node, sequence
)
select pg_notify('${CHANNEL}', node || ' ' || sequence) from kept`;

const DELETE_EXPIRED = `delete from realtime.node_log where kept_at < clock_timestamp() - $1 * interval '1 ms'`;

const LAST_SEQUENCES = 'select node, max(sequence)::text as sequence from realtime.node_log group by node';

const ENTRIES_OF_NODES = `
select found.* from unnest($1::text[], $2::bigint[]) as known (node, sequence)
cross join lateral (
  select node, sequence::text, entry from realtime.node_log
  where node_log.node = known.node and node_log.sequence > known.sequence
  order by node_log.sequence limit ${ENTRIES_PER_READ}
) as found`;

const ENTRIES_OF_ALL_NODES = `
select node, node_log.sequence::text as sequence, entry from realtime.node_log
left join unnest($1::text[], $2::bigint[]) as known (node, sequence) using (node)
where node_log.sequence > coalesce(known.sequence, 0)
order by node, node_log.sequence limit ${ENTRIES_PER_READ}`;

const NODES = `
select node from realtime.node_log where node <> $1
group by node having max(kept_at) > clock_timestamp() - $2 * interval '1 ms' and not bool_or(is_last)`;

/** Options of {@link openPostgresLog}. */
interface PostgresLogOptions {
  /** Logged in as supabase_realtime_admin. */
  url: string;
  /** Id of this node. */
  node: string;
  timings: Pick<NodeTimings, 'deadAfterMs' | 'retentionMs' | 'responseTimeoutMs'>;
  /** Called with the reason when a connection is lost or cannot be opened. It is reopened automatically. */
  onLost: (error: Error) => void;
}

/** Opens a log. Connections are opened and reopened in the background. */
export function openPostgresLog(options: PostgresLogOptions): NodeLog {
  return new PostgresLog(options);
}

interface Row {
  node: string;
  sequence: string;
  entry: Buffer;
}

class PostgresLog implements NodeLog {
  readonly #options: PostgresLogOptions;
  #database: Database;
  #listener: Listener | undefined;
  #isListening = false;
  #reader: LogReader | undefined;
  #onReady = () => {};
  #isInitialized = false;
  /** Sequence number of the last entry of each node that was read. */
  readonly #positions = new LRUCache<string, number>({ max: MAX_NODES });
  /** Nodes with notified entries that are not read yet. */
  readonly #changedNodes = new Set<string>();
  /** Whether notifications may have been lost, so that the entries of all nodes must be read. */
  #mustReadAll = false;
  #isReading = false;
  #isClosed = false;
  /** Sequence numbers of the last own entry that was sent, that was stored, and that a notification confirmed. */
  #sent = 0;
  #stored: number | undefined;
  #confirmed = 0;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(options: PostgresLogOptions) {
    this.#options = options;
    this.#database = this.#openDatabase();
  }

  read(reader: LogReader): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reader = reader;
    this.#onReady = resolve;
    this.#listen();
    const { retentionMs, responseTimeoutMs } = this.#options.timings;
    let previousStored: number | undefined;
    this.#timers.push(
      setInterval(() => {
        // If the notification of a stored entry has not arrived since the last check, it will not arrive any more.
        if (previousStored !== undefined && this.#confirmed < previousStored) this.#relisten();
        previousStored = this.#stored;
        if (this.#mustReadAll || this.#changedNodes.size > 0) void this.#readNew();
      }, responseTimeoutMs / 3).unref(),
      setInterval(() => void this.#deleteExpired(), retentionMs / 6).unref(),
    );
    return promise;
  }

  async append(entries: readonly LogEntry[], isRepeat: boolean): Promise<void> {
    const previous = isRepeat ? null : (this.#stored ?? null);
    this.#sent = entries.at(-1)?.sequence ?? this.#sent;
    const statements = entries.map(({ sequence, bytes, isLast }) => ({
      text: APPEND,
      name: 'append to node_log',
      values: [this.#options.node, sequence, bytes, isLast, previous],
    }));
    const results = await this.#run((database) => database.batch(statements as Statement[]));
    if (!isRepeat && results.some((rows) => rows.length === 0))
      throw new Error('the log has lost its entries');
    this.#stored = entries.at(-1)?.sequence;
  }

  async nodes(): Promise<string[]> {
    const { node, timings } = this.#options;
    const statement = { text: NODES, values: [node, timings.deadAfterMs] };
    const rows = await this.#run((database) => database.query<{ node: string }>(statement));
    return rows.map((row) => row.node);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#listener?.close(), this.#database.close()]);
  }

  #openDatabase(): Database {
    const { url, timings, onLost } = this.#options;
    return openDatabase({
      url,
      max: CONNECTIONS,
      applicationName: APPLICATION_NAME,
      connectionTimeoutMs: timings.responseTimeoutMs,
      onIdleError: onLost,
    });
  }

  #listen(): void {
    this.#listener = listen({
      url: this.#options.url,
      channel: CHANNEL,
      applicationName: `${APPLICATION_NAME}, listening`,
      initialDelayMs: INITIAL_DELAY_MS,
      onNotification: (payload) => this.#takeNotification(payload),
      onListening: () => {
        this.#isListening = true;
        this.#mustReadAll = true;
        void this.#readNew();
      },
      onLost: (error) => {
        this.#isListening = false;
        this.#options.onLost(error);
      },
    });
  }

  /**
   * Replaces the listener, because its retry pauses have grown or its connection is dead without an error. Then reads all
   * entries.
   */
  #relisten(): void {
    this.#mustReadAll = true;
    if (this.#isListening) this.#options.onLost(new Error('notifications do not arrive'));
    this.#isListening = false;
    this.#confirmed = this.#stored ?? 0;
    void this.#listener?.close();
    this.#listen();
  }

  #takeNotification(payload: string): void {
    const [node = '', sequence] = payload.split(' ');
    if (node === this.#options.node) this.#confirmOwn(Number(sequence));
    else if (this.#changedNodes.size < MAX_NODES) this.#changedNodes.add(node);
    void this.#readNew();
  }

  #confirmOwn(sequence: number): void {
    // Every role can send notifications with the id of this node, so the number must be plausible.
    if (!(sequence > this.#confirmed && sequence <= this.#sent)) return;
    this.#confirmed = sequence;
    this.#positions.set(this.#options.node, sequence);
    this.#reader?.onOwnEntry();
  }

  /** Reads new entries until there are none, in one loop at a time. After an error the interval timer retries. */
  async #readNew(): Promise<void> {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    try {
      if (!this.#isInitialized) await this.#initializePositions();
      while (this.#mustReadAll || this.#changedNodes.size > 0) await this.#readBatch();
    } catch (error) {
      this.#mustReadAll = true;
      // If the server is down, the listener reports it as well, and less often.
      if (this.#isListening && !this.#isClosed) this.#options.onLost(error as Error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Starts at the end of the log: earlier entries are not meant for this node. */
  async #initializePositions(): Promise<void> {
    const rows = await this.#run((database) => database.query<Omit<Row, 'entry'>>({ text: LAST_SEQUENCES }));
    for (const { node, sequence } of rows) this.#positions.set(node, Number(sequence));
    this.#mustReadAll = false;
    this.#isInitialized = true;
    this.#onReady();
  }

  async #readBatch(): Promise<void> {
    const readsAll = this.#mustReadAll;
    const nodes = readsAll ? [...this.#positions.keys()] : [...this.#changedNodes];
    const values = [nodes, nodes.map((node) => this.#positions.get(node) ?? 0)];
    this.#mustReadAll = false;
    this.#changedNodes.clear();
    const text = readsAll ? ENTRIES_OF_ALL_NODES : ENTRIES_OF_NODES;
    const rows = (await this.#run((database) => database.query({ text, values }))) as unknown as Row[];
    const counts = new Map<string, number>();
    for (const row of rows) {
      this.#take(row);
      counts.set(row.node, (counts.get(row.node) ?? 0) + 1);
    }
    if (readsAll) this.#mustReadAll ||= rows.length === ENTRIES_PER_READ;
    else for (const [node, count] of counts) if (count === ENTRIES_PER_READ) this.#changedNodes.add(node);
  }

  #take({ node, sequence: text, entry }: Row): void {
    const sequence = Number(text);
    this.#positions.set(node, sequence);
    if (node === this.#options.node) this.#reader?.onOwnEntry();
    else this.#reader?.onEntry(node, { sequence, bytes: entry });
  }

  async #deleteExpired(): Promise<void> {
    const statement = { text: DELETE_EXPIRED, values: [this.#options.timings.retentionMs] };
    await this.#run((database) => database.query(statement)).catch(() => undefined);
  }

  /** Runs queries with a timeout. Replaces the pool after a timeout, because a dead connection may report no error. */
  async #run<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = this.#database;
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new Error('PostgreSQL did not respond in time'));
      if (this.#database !== database || this.#isClosed) return;
      this.#database = this.#openDatabase();
      void database.close();
    }, this.#options.timings.responseTimeoutMs);
    const working = work(database);
    working.catch(() => undefined);
    try {
      return await Promise.race([working, timedOut]);
    } finally {
      clearTimeout(timer);
    }
  }
}
