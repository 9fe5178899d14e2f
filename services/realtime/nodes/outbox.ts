/**
 * Appends the messages of a node to the log, with one append at a time: messages that are pushed meanwhile go into the
 * next one. Messages that the log does not store in time are dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from '../errors.ts';
import type { LogEntry, NodeLog, NodeTimings } from './log.ts';
import { encodeEntry, type NodeMessage } from './wire.ts';

/** Above this number of pending bytes, new broadcasts and presence changes are dropped at once. */
const MAX_PENDING_BYTES = 32_000_000;
/** Maximum size of an entry with several messages. */
const ENTRY_BYTES = 500_000;
const ENTRY_MESSAGES = 1000;
/** Maximum bytes of recent entries that are kept for a repeat. */
const MAX_REPEATED_BYTES = 8_000_000;
/** Approximate size of a message without its payload. */
const HEADER_BYTES = 200;

/** Options of {@link Outbox}. */
interface OutboxOptions {
  log: Pick<NodeLog, 'append'>;
  timings: Pick<NodeTimings, 'appendTimeoutMs' | 'retryMs' | 'repeatWindowMs'>;
  /** Called with the error of a failed append, which is retried. */
  onAppendFailed(error: unknown): void;
}

interface PendingMessage {
  message: NodeMessage;
  bytes: number;
  since: number;
  resolve(): void;
  reject(error: Error): void;
}

/** A queue of messages for the log. */
export class Outbox {
  readonly #options: OutboxOptions;
  #pending: PendingMessage[] = [];
  #pendingBytes = 0;
  #sequence = 0;
  #isFlushing = false;
  #isClosed = false;
  #mustRepeat = false;
  /** Recently appended entries. */
  #recent: { entry: LogEntry; at: number }[] = [];
  #onIdle: (() => void)[] = [];
  #appended = 0;
  #dropped = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Number of messages that the log has stored. */
  get appended(): number {
    return this.#appended;
  }

  /** Number of dropped broadcasts and presence changes. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether no message is pending or being appended. */
  get isIdle(): boolean {
    return this.#pending.length === 0 && !this.#isFlushing;
  }

  /**
   * Queues a message. Resolves when the log has stored it, and rejects with an error of the catalogue if it is dropped.
   * An ignored rejection is not reported as unhandled.
   */
  push(message: NodeMessage): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    const pending = { message, bytes: bytesOf(message), since: performance.now(), resolve, reject };
    if (this.#isClosed || (isDroppable(message) && this.#pendingBytes > MAX_PENDING_BYTES)) {
      this.#drop([pending]);
      return promise;
    }
    this.#pending.push(pending);
    this.#pendingBytes += pending.bytes;
    // Messages pushed in the same microtask batch share one entry.
    queueMicrotask(() => void this.#flush());
    return promise;
  }

  /** Waits until all messages are appended, or until the timeout. Drops the rest and all later messages. */
  async close(timeoutMs: number): Promise<void> {
    const idle = new Promise<void>((resolve) => this.#onIdle.push(resolve));
    const timer = new AbortController();
    const timedOut = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
    if (!this.isIdle) await Promise.race([idle, timedOut]);
    timer.abort();
    this.#isClosed = true;
    this.#drop(this.#pending);
    this.#pending = [];
  }

  async #flush(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    while (this.#pending.length > 0) await this.#appendBatch();
    this.#isFlushing = false;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  async #appendBatch(): Promise<void> {
    const batch = this.#takeBatch();
    const [oldest] = batch;
    if (oldest === undefined) return;
    this.#sequence += 1;
    const messages = batch.map(({ message }) => message);
    const entry: LogEntry = {
      sequence: this.#sequence,
      bytes: encodeEntry(messages),
      isLast: messages.some(({ kind }) => kind === 'bye'),
    };
    if (await this.#appendWithRetries(entry, oldest.since + this.#options.timings.appendTimeoutMs)) {
      this.#appended += batch.length;
      for (const { resolve } of batch) resolve();
    } else {
      this.#drop(batch);
    }
  }

  /** Appends an entry with retries until `deadline`. Returns whether the log has stored it. */
  async #appendWithRetries(entry: LogEntry, deadline: number): Promise<boolean> {
    const { log, timings, onAppendFailed } = this.#options;
    for (;;) {
      try {
        const repeated = this.#mustRepeat ? this.#recent.map((recent) => recent.entry) : [];
        await log.append([...repeated, entry], this.#mustRepeat);
        this.#mustRepeat = false;
        this.#remember(entry);
        return true;
      } catch (error) {
        // The first rejection may only mean that the log requires a repeat.
        if (this.#mustRepeat) {
          onAppendFailed(error);
          await sleep(timings.retryMs);
        }
        this.#mustRepeat = true;
      }
      if (this.#isClosed || performance.now() >= deadline) return false;
    }
  }

  #remember(entry: LogEntry): void {
    const now = performance.now();
    this.#recent.push({ entry, at: now });
    let bytes = this.#recent.reduce((sum, recent) => sum + recent.entry.bytes.length, 0);
    while (this.#recent.length > 0) {
      const [oldest] = this.#recent;
      if (oldest === undefined) return;
      if (now - oldest.at <= this.#options.timings.repeatWindowMs && bytes <= MAX_REPEATED_BYTES) return;
      bytes -= oldest.entry.bytes.length;
      this.#recent.shift();
    }
  }

  #takeBatch(): PendingMessage[] {
    const { appendTimeoutMs } = this.#options.timings;
    const now = performance.now();
    const fresh = this.#pending.findIndex(({ since }) => now - since < appendTimeoutMs);
    const expired = this.#pending.splice(0, fresh === -1 ? this.#pending.length : fresh);
    this.#drop(expired);
    let bytes = 0;
    let count = 0;
    for (const pending of this.#pending) {
      if (count === ENTRY_MESSAGES || (count > 0 && bytes + pending.bytes > ENTRY_BYTES)) break;
      bytes += pending.bytes;
      count += 1;
    }
    const batch = this.#pending.splice(0, count);
    for (const each of [...expired, ...batch]) this.#pendingBytes -= each.bytes;
    return batch;
  }

  /** Drops messages. Skips a sequence number, so that other nodes detect the loss. */
  #drop(messages: readonly PendingMessage[]): void {
    if (messages.length === 0) return;
    this.#sequence += 1;
    for (const { message, reject } of messages) {
      if (isDroppable(message)) this.#dropped += 1;
      reject(failure('BroadcastNotStored'));
    }
  }
}

/** Control messages are never dropped for lack of space: they are small, and recovery depends on them. */
function isDroppable({ kind }: NodeMessage): boolean {
  return kind === 'broadcast' || kind === 'presence';
}

function bytesOf(message: NodeMessage): number {
  switch (message.kind) {
    case 'broadcast': {
      const { broadcast } = message;
      const payload = broadcast.kind === 'text' ? broadcast.payload : broadcast.bytes;
      return HEADER_BYTES + payload.length;
    }
    case 'presence':
      return presenceBytes([...message.joins, ...message.leaves]);
    case 'snapshot':
      return message.rooms.reduce((sum, { presences }) => sum + presenceBytes(presences), HEADER_BYTES);
    default:
      return HEADER_BYTES;
  }
}

function presenceBytes(presences: readonly { key: string; meta: string }[]): number {
  return presences.reduce((sum, { key, meta }) => sum + key.length + meta.length, HEADER_BYTES);
}
