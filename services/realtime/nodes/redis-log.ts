/**
 * The log in Redis: one stream, and a sorted set of nodes by the time of their last append. It needs two connections,
 * because a blocking read occupies its connection. Requires Redis 6.2 or later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { LogEntry, LogReader, NodeLog, NodeTimings } from './log.ts';

const RETRY_MS = 50;
const MAX_RETRY_MS = 1000;
const ENTRIES_PER_READ = 32;
/** The stream is trimmed to about this size, in addition to the trimming by age. */
const MAX_STREAM_BYTES = 128_000_000;
const RUN_BYTES = 1_000_000;
/** The keys expire after this time without an append, when no node is left. */
const EXPIRY_MS = 600_000;

/** Uses the time of the server, because the clocks of nodes may differ. */
const APPEND = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('XADD', KEYS[1], 'MINID', '~', now - ARGV[5], '*', 'node', ARGV[1], 'sequence', ARGV[2], 'bytes', ARGV[3])
if ARGV[6] ~= '' then redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[6]) end
if ARGV[4] == '1' then redis.call('ZREM', KEYS[2], ARGV[1]) else redis.call('ZADD', KEYS[2], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[5])
redis.call('PEXPIRE', KEYS[1], ${EXPIRY_MS})
redis.call('PEXPIRE', KEYS[2], ${EXPIRY_MS})
return 1`;

const NODES = `
local time = redis.call('TIME')
return redis.call('ZRANGEBYSCORE', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1], '+inf')`;

/** Options of {@link openRedisLog}. */
export interface RedisLogOptions {
  /** redis:// or rediss://, with user, password and number of the database. */
  url: string;
  /** Prefix of all keys. Nodes with the same prefix exchange messages. */
  prefix: string;
  /** Id of this node. */
  node: string;
  timings: Pick<NodeTimings, 'deadAfterMs' | 'retentionMs' | 'responseTimeoutMs'>;
  /** Called with the reason when a connection is lost or cannot be opened. It is reopened automatically. */
  onLost: (error: Error) => void;
}

/** Opens a log. Connections are opened and reopened in the background. */
export function openRedisLog(options: RedisLogOptions): NodeLog {
  return new RedisLog(options);
}

class RedisLog implements NodeLog {
  readonly #node: string;
  readonly #timings: RedisLogOptions['timings'];
  readonly #stream: string;
  readonly #nodes: string;
  readonly #writer: Redis;
  readonly #reader: Redis;
  readonly #window = new StreamWindow();
  /** Whether the writer was disconnected since the last append: a restarted Redis may have lost entries. */
  #wasDisconnected = false;
  #position: string | undefined;
  #isClosed = false;
  #reading: Promise<void> | undefined;

  constructor({ url, prefix, node, timings, onLost }: RedisLogOptions) {
    this.#node = node;
    this.#timings = timings;
    // The braces (a hash tag) keep both keys on one node of a Redis cluster.
    this.#stream = `{${prefix}}:log`;
    this.#nodes = `{${prefix}}:nodes`;
    this.#writer = connect(url, 'greenroom nodes', timings.responseTimeoutMs, onLost);
    this.#reader = connect(url, 'greenroom nodes, reading', timings.responseTimeoutMs, onLost);
    this.#writer.on('close', () => {
      this.#wasDisconnected = true;
    });
  }

  read(reader: LogReader): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reading = this.#readLoop(reader, resolve);
    return promise;
  }

  async append(entries: readonly LogEntry[], isRepeat: boolean): Promise<void> {
    if (this.#wasDisconnected && !isRepeat)
      throw new Error('the connection was replaced, so stored entries may be lost');
    const pipeline = this.#writer.pipeline();
    for (const { sequence, bytes, isLast } of entries) {
      const values = [
        this.#node,
        sequence,
        bytes,
        isLast ? 1 : 0,
        this.#timings.retentionMs,
        this.#window.floor,
      ];
      pipeline.eval(APPEND, 2, this.#stream, this.#nodes, ...values);
    }
    this.#wasDisconnected = false;
    const results = (await pipeline.exec()) ?? [];
    for (const [error] of results) if (error) throw error;
  }

  async nodes(): Promise<string[]> {
    const names = await this.#writer.eval(NODES, 1, this.#nodes, this.#timings.deadAfterMs);
    return (names as string[]).filter((name) => name !== this.#node);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reader.disconnect();
    this.#writer.disconnect();
    await this.#reading;
  }

  async #readLoop(reader: LogReader, onReady: () => void): Promise<void> {
    let isPositioned = false;
    while (!this.#isClosed) {
      try {
        if (!isPositioned) await this.#findPosition();
        isPositioned = true;
        onReady();
        await this.#readBatch(reader);
      } catch {
        // `onLost` has reported a lost connection already.
        isPositioned = false;
        await sleep(RETRY_MS);
      }
    }
  }

  /**
   * Starts at the end of the stream. A stream that ends before the last position was recreated: reads it from the
   * start.
   */
  async #findPosition(): Promise<void> {
    const [last] = (await this.#reader.xrevrange(this.#stream, '+', '-', 'COUNT', 1)) as [string, string[]][];
    const end = last?.[0] ?? '0-0';
    if (this.#position === undefined) this.#position = end;
    else if (isBefore(end, this.#position)) this.#position = '0-0';
  }

  async #readBatch(reader: LogReader): Promise<void> {
    const found = await this.#reader.xreadBuffer(
      'COUNT',
      ENTRIES_PER_READ,
      'BLOCK',
      // Shorter than the socket timeout, so that a quiet stream does not count as a lost connection.
      this.#timings.responseTimeoutMs / 3,
      'STREAMS',
      this.#stream,
      this.#position ?? '0-0',
    );
    const [stream] = (found ?? []) as unknown as [Buffer, [Buffer, Buffer[]][]][];
    for (const [id, fields] of stream?.[1] ?? []) {
      this.#position = id.toString();
      this.#take(reader, this.#position, fields);
    }
  }

  #take(reader: LogReader, id: string, fields: Buffer[]): void {
    const values = new Map<string, Buffer>();
    for (let at = 0; at + 1 < fields.length; at += 2) {
      values.set(String(fields[at]), fields[at + 1] ?? Buffer.alloc(0));
    }
    const node = values.get('node')?.toString();
    const sequence = Number(values.get('sequence')?.toString());
    const bytes = values.get('bytes');
    // Skips entries of other writers, who may share the Redis.
    if (node === undefined || bytes === undefined || !Number.isSafeInteger(sequence)) return;
    this.#window.add(id, bytes.length);
    if (node === this.#node) reader.onOwnEntry();
    else reader.onEntry(node, { sequence, bytes });
  }
}

/** Determines the oldest entry that fits into the maximum size of the stream. */
class StreamWindow {
  /** Runs of consecutive entries, by the id of their first entry. */
  readonly #runs: { id: string; bytes: number }[] = [];
  #bytes = 0;

  /** Id of the oldest entry to keep; empty while all fit. */
  floor = '';

  add(id: string, bytes: number): void {
    this.#bytes += bytes;
    const last = this.#runs.at(-1);
    if (last !== undefined && last.bytes < RUN_BYTES) last.bytes += bytes;
    else this.#runs.push({ id, bytes });
    while (this.#bytes > MAX_STREAM_BYTES && this.#runs.length > 1) {
      this.#bytes -= this.#runs.shift()?.bytes ?? 0;
      this.floor = this.#runs[0]?.id ?? '';
    }
  }
}

function connect(
  url: string,
  connectionName: string,
  responseTimeoutMs: number,
  onLost: (error: Error) => void,
): Redis {
  const redis = new Redis(url, {
    connectionName,
    // Commands fail at once while the connection is down, because the callers decide when to retry.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: responseTimeoutMs,
    socketTimeout: responseTimeoutMs,
    retryStrategy: (times) => Math.min(RETRY_MS * 2 ** Math.min(times, 10), MAX_RETRY_MS),
  });
  let isReported = false;
  redis.on('ready', () => {
    isReported = false;
  });
  redis.on('error', (error) => {
    if (!isReported) onLost(error);
    isReported = true;
  });
  return redis;
}

/** Compares stream ids, which consist of milliseconds and a counter. */
function isBefore(one: string, other: string): boolean {
  const [ms = 0n, count = 0n] = one.split('-').map(BigInt);
  const [otherMs = 0n, otherCount = 0n] = other.split('-').map(BigInt);
  return ms < otherMs || (ms === otherMs && count < otherCount);
}
