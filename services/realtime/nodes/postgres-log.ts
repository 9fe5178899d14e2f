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
const FIRST_PAUSE_MS = 100;
const ENTRIES_OF_A_READ = 64;
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

const FORGET = `delete from realtime.node_log where kept_at < clock_timestamp() - $1 * interval '1 ms'`;

const ENDS = 'select node, max(sequence)::text as sequence from realtime.node_log group by node';

const OF_NODES = `
select found.* from unnest($1::text[], $2::bigint[]) as known (node, sequence)
cross join lateral (
  select node, sequence::text, entry from realtime.node_log
  where node_log.node = known.node and node_log.sequence > known.sequence
  order by node_log.sequence limit ${ENTRIES_OF_A_READ}
) as found`;

const OF_ALL = `
select node, node_log.sequence::text as sequence, entry from realtime.node_log
left join unnest($1::text[], $2::bigint[]) as known (node, sequence) using (node)
where node_log.sequence > coalesce(known.sequence, 0)
order by node, node_log.sequence limit ${ENTRIES_OF_A_READ}`;

const NODES = `
select node from realtime.node_log where node <> $1
group by node having max(kept_at) > clock_timestamp() - $2 * interval '1 ms' and not bool_or(is_last)`;

/** Options of {@link openPostgresLog}. */
interface PostgresLogOptions {
  /** Logged in as supabase_realtime_admin. */
  url: string;
  /** Id of this node. */
  node: string;
  timings: Pick<NodeTimings, 'deadMs' | 'memoryMs' | 'patienceMs'>;
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
  #onBegun = () => {};
  #hasBegun = false;
  /** Sequence number of the last entry of each node that was read. */
  readonly #positions = new LRUCache<string, number>({ max: MAX_NODES });
  /** Nodes with notified entries that are not read yet. */
  readonly #news = new Set<string>();
  /** Whether notifications may have been lost, so that the entries of all nodes must be read. */
  #mayBeAnybody = false;
  #isReading = false;
  #isClosed = false;
  /** Sequence numbers of the last own entry that was sent, that was stored, and that a notification confirmed. */
  #sent = 0;
  #kept: number | undefined;
  #heard = 0;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(options: PostgresLogOptions) {
    this.#options = options;
    this.#database = this.#openDatabase();
  }

  read(reader: LogReader): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reader = reader;
    this.#onBegun = resolve;
    this.#listen();
    const { memoryMs, patienceMs } = this.#options.timings;
    let keptBefore: number | undefined;
    this.#timers.push(
      setInterval(() => {
        // If the notification of a stored entry has not arrived since the last check, it will not arrive any more.
        if (keptBefore !== undefined && this.#heard < keptBefore) this.#listenAnew();
        keptBefore = this.#kept;
        if (this.#mayBeAnybody || this.#news.size > 0) void this.#readNews();
      }, patienceMs / 3).unref(),
      setInterval(() => void this.#forget(), memoryMs / 6).unref(),
    );
    return promise;
  }

  async append(entries: readonly LogEntry[], isRepeat: boolean): Promise<void> {
    const previous = isRepeat ? null : (this.#kept ?? null);
    this.#sent = entries.at(-1)?.sequence ?? this.#sent;
    const statements = entries.map(({ sequence, bytes, isLast }) => ({
      text: APPEND,
      name: 'append to node_log',
      values: [this.#options.node, sequence, bytes, isLast, previous],
    }));
    const results = await this.#run((database) => database.batch(statements as Statement[]));
    if (!isRepeat && results.some((rows) => rows.length === 0)) throw new Error('the log was emptied');
    this.#kept = entries.at(-1)?.sequence;
  }

  async nodes(): Promise<string[]> {
    const { node, timings } = this.#options;
    const statement = { text: NODES, values: [node, timings.deadMs] };
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
      connectionTimeoutMs: timings.patienceMs,
      onIdleError: onLost,
    });
  }

  #listen(): void {
    this.#listener = listen({
      url: this.#options.url,
      channel: CHANNEL,
      applicationName: `${APPLICATION_NAME}, listening`,
      firstPauseMs: FIRST_PAUSE_MS,
      onNotification: (payload) => this.#takeNotification(payload),
      onListening: () => {
        this.#isListening = true;
        this.#mayBeAnybody = true;
        void this.#readNews();
      },
      onLost: (error) => {
        this.#isListening = false;
        this.#options.onLost(error);
      },
    });
  }

  /**
   * Replaces the listener: its retry pauses grow, or its connection is dead without an error. Then reads all entries.
   */
  #listenAnew(): void {
    this.#mayBeAnybody = true;
    if (this.#isListening) this.#options.onLost(new Error('notifications do not come'));
    this.#isListening = false;
    this.#heard = this.#kept ?? 0;
    void this.#listener?.close();
    this.#listen();
  }

  #takeNotification(payload: string): void {
    const [node = '', sequence] = payload.split(' ');
    if (node === this.#options.node) this.#hearOwn(Number(sequence));
    else if (this.#news.size < MAX_NODES) this.#news.add(node);
    void this.#readNews();
  }

  #hearOwn(sequence: number): void {
    // Every role can send notifications with the id of this node, so the number must be plausible.
    if (!(sequence > this.#heard && sequence <= this.#sent)) return;
    this.#heard = sequence;
    this.#positions.set(this.#options.node, sequence);
    this.#reader?.onOwn();
  }

  /** Reads new entries until there are none, in one loop at a time. After an error the interval timer retries. */
  async #readNews(): Promise<void> {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    try {
      if (!this.#hasBegun) await this.#begin();
      while (this.#mayBeAnybody || this.#news.size > 0) await this.#readSome();
    } catch (error) {
      this.#mayBeAnybody = true;
      // If the server is down, the listener reports it as well, and less often.
      if (this.#isListening && !this.#isClosed) this.#options.onLost(error as Error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Starts at the end of the log: earlier entries are not meant for this node. */
  async #begin(): Promise<void> {
    const rows = await this.#run((database) => database.query<Omit<Row, 'entry'>>({ text: ENDS }));
    for (const { node, sequence } of rows) this.#positions.set(node, Number(sequence));
    this.#mayBeAnybody = false;
    this.#hasBegun = true;
    this.#onBegun();
  }

  async #readSome(): Promise<void> {
    const ofAll = this.#mayBeAnybody;
    const nodes = ofAll ? [...this.#positions.keys()] : [...this.#news];
    const values = [nodes, nodes.map((node) => this.#positions.get(node) ?? 0)];
    this.#mayBeAnybody = false;
    this.#news.clear();
    const text = ofAll ? OF_ALL : OF_NODES;
    const rows = (await this.#run((database) => database.query({ text, values }))) as unknown as Row[];
    const counts = new Map<string, number>();
    for (const row of rows) {
      this.#take(row);
      counts.set(row.node, (counts.get(row.node) ?? 0) + 1);
    }
    if (ofAll) this.#mayBeAnybody ||= rows.length === ENTRIES_OF_A_READ;
    else for (const [node, count] of counts) if (count === ENTRIES_OF_A_READ) this.#news.add(node);
  }

  #take({ node, sequence: text, entry }: Row): void {
    const sequence = Number(text);
    this.#positions.set(node, sequence);
    if (node === this.#options.node) this.#reader?.onOwn();
    else this.#reader?.onEntry(node, { sequence, bytes: entry });
  }

  async #forget(): Promise<void> {
    const statement = { text: FORGET, values: [this.#options.timings.memoryMs] };
    await this.#run((database) => database.query(statement)).catch(() => undefined);
  }

  /** Runs queries with a timeout. Replaces the pool after a timeout, because a dead connection may report no error. */
  async #run<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = this.#database;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new Error('PostgreSQL does not answer in time'));
      if (this.#database !== database || this.#isClosed) return;
      this.#database = this.#openDatabase();
      void database.close();
    }, this.#options.timings.patienceMs);
    const working = work(database);
    working.catch(() => undefined);
    try {
      return await Promise.race([working, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
