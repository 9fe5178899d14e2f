/**
 * The last field of a row that is too large to be held in memory: a stream that reads from the socket no faster than
 * its consumer. The server, and with it the connection, has to wait for the consumer. So a field that is consumed
 * slowly is buffered in memory after a while if there is room, which frees the connection; and a consumer that reads
 * nothing for too long loses the stream.
 */
import { Readable } from 'node:stream';
import { releaseMemory } from '../release-memory.ts';
import { MESSAGE_HEADER_BYTES, type RawRow } from './decode.ts';

/** Number of bytes that may be buffered for a consumer that is slower than the server. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** A field is destroyed if its consumer reads nothing for this time. */
const IDLE_TIMEOUT_MS = 30_000;
/** A consumer for whom the server has had to wait, and who reads fewer than MIN_QUICK_BYTES in this time, is slow. */
const CHECK_INTERVAL_MS = 1000;
const MIN_QUICK_BYTES = 4 * 1024 * 1024;
/** Maximum number of bytes buffered for all slow consumers of this process. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;

/** Maximum number of bytes buffered for one client. */
const MAX_BUFFERED_BYTES_PER_CLIENT = 64 * 1024 * 1024;
/**
 * Maximum time for which a slow field that is not buffered occupies its connection, even if its consumer keeps reading.
 */
const MAX_OCCUPIED_MS = 120_000;

/** Buffered bytes in this process. */
let bufferedBytes = 0;
/** Buffered bytes in this process, by client. */
const bufferedBytesOf = new Map<string, number>();

function addBuffered(client: string | undefined, by: number): void {
  bufferedBytes += by;
  if (client === undefined) return;
  const bytes = (bufferedBytesOf.get(client) ?? 0) + by;
  if (bytes > 0) bufferedBytesOf.set(client, bytes);
  else bufferedBytesOf.delete(client);
}

function hasCapacityFor(client: string | undefined, bytes: number): boolean {
  if (bufferedBytes + bytes > MAX_BUFFERED_BYTES) return false;
  return client === undefined || (bufferedBytesOf.get(client) ?? 0) + bytes <= MAX_BUFFERED_BYTES_PER_CLIENT;
}

/** A row whose last field is being received. */
export interface LargeRow {
  /** All fields but the last. */
  fields: RawRow;
  /** Length of the last field, in bytes. */
  length: number;
  field: LargeField;
}

/** The socket that the bytes come from. */
interface Source {
  pause(): void;
  resume(): void;
}

/**
 * The bytes of one field. A consumer that does not want the rest destroys the stream; the remaining bytes are then
 * discarded.
 */
export class LargeField extends Readable {
  /** Key of the client that consumes the field, for the limit per client. Undefined if the client is not counted. */
  client: string | undefined;
  readonly #source: Source;
  readonly #idleTimeoutMs: number;
  readonly #checkIntervalMs: number;
  readonly #length: number;
  #received = 0;
  /** Number of bytes that had been consumed at the last check. */
  #consumed = 0;
  #isPaused = false;
  /** Number of checks at which a slow consumer occupied the connection. */
  #slowChecks = 0;
  /** Whether the whole field is read from the socket, even if the consumer has not requested it yet. */
  #isBuffered = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #checkTimer: NodeJS.Timeout | undefined;

  /** @param length length of the whole field, in bytes */
  constructor(
    source: Source,
    length: number,
    { idleTimeoutMs = IDLE_TIMEOUT_MS, checkIntervalMs = CHECK_INTERVAL_MS } = {},
  ) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.#source = source;
    this.#length = length;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#checkIntervalMs = checkIntervalMs;
  }

  /** Receives the next bytes from the socket. */
  receive(chunk: Buffer, isLast = false): void {
    if (this.destroyed) return;
    this.#received += chunk.length;
    const hasCapacity = this.push(chunk);
    // After the last chunk, no further `_read` would resume the source.
    if (isLast) {
      clearTimeout(this.#checkTimer);
      this.#resumeSource();
    }
    if (isLast || hasCapacity || this.#isPaused || this.#isBuffered) return;
    this.#isPaused = true;
    this.#source.pause();
    this.#idleTimer = setTimeout(() => this.#failIdle(), this.#idleTimeoutMs);
    // The timer is not restarted when something is consumed, because a consumer may read a little from time to time.
    this.#checkTimer ??= setTimeout(() => this.#checkSpeed(), this.#checkIntervalMs);
  }

  /** Like `Readable.pipe`, but releases the memory of each chunk when the destination has written it. */
  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.on('data', (chunk: Buffer) => {
      const acceptsMore = destination.write(chunk, () => releaseMemory(chunk));
      if (acceptsMore) return;
      this.pause();
      destination.once('drain', () => this.resume());
    });
    this.once('end', () => destination.end());
    return destination;
  }

  #failIdle(): void {
    this.destroy(new Error(`the consumer of a result read nothing for ${this.#idleTimeoutMs} ms`));
  }

  #checkSpeed(): void {
    const consumed = this.#received - this.readableLength;
    const isQuick = consumed - this.#consumed >= MIN_QUICK_BYTES;
    this.#consumed = consumed;
    if (!isQuick && hasCapacityFor(this.client, this.#length)) {
      this.#bufferAll();
      return;
    }
    if (!isQuick) this.#slowChecks += 1;
    if (this.#slowChecks * this.#checkIntervalMs < MAX_OCCUPIED_MS) this.#checkTimer?.refresh();
    else this.destroy(new Error(`the consumer of a result read too slowly for ${MAX_OCCUPIED_MS} ms`));
  }

  #bufferAll(): void {
    addBuffered(this.client, this.#length);
    this.#isBuffered = true;
    this.#resumeSource();
    let before = this.readableLength;
    // `_read` is not called for bytes that are buffered already, so progress shows only in the remaining length.
    this.#idleTimer = setInterval(() => {
      const left = this.readableLength;
      if (left > 0 && left === before) this.#failIdle();
      before = left;
    }, this.#idleTimeoutMs).unref();
  }

  override _read(): void {
    if (!this.#isBuffered) this.#resumeSource();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#idleTimer);
    if (this.#isBuffered) addBuffered(this.client, -this.#length);
    this.#resumeSource();
    done(error);
  }

  #resumeSource(): void {
    if (!this.#isPaused) return;
    clearTimeout(this.#idleTimer);
    this.#isPaused = false;
    this.#source.resume();
  }
}

/** Receives a DataRow in chunks, until the length of its last field is known, and then that field. */
export class LargeRowReader {
  readonly #source: Source;
  readonly #onRow: (row: LargeRow) => void;
  readonly #onWhole: (message: Buffer) => void;
  #head: Buffer[] = [];
  #received = 0;
  /**
   * Number of bytes that must have arrived before another attempt to parse the head; chunks are concatenated only then.
   */
  #bytesNeeded = 0;
  #field: LargeField | undefined;

  /**
   * @param onRow called when the last field has begun
   * @param onWhole called with the whole message if a field other than the last was the large one
   */
  constructor(source: Source, onRow: (row: LargeRow) => void, onWhole: (message: Buffer) => void) {
    this.#source = source;
    this.#onRow = onRow;
    this.#onWhole = onWhole;
  }

  /** Receives the next chunk of the message, which begins with its header. */
  receive(chunk: Buffer, isLast: boolean): void {
    if (this.#field === undefined) this.#receiveHead(chunk, isLast);
    else this.#field.receive(chunk, isLast);
    if (isLast) this.#field?.push(null);
  }

  /** Called when the connection is lost. */
  fail(error: Error): void {
    this.#field?.destroy(error);
  }

  #receiveHead(chunk: Buffer, isLast: boolean): void {
    this.#head.push(chunk);
    this.#received += chunk.length;
    if (!isLast && this.#received < this.#bytesNeeded) return;
    const received = this.#head.length === 1 ? chunk : Buffer.concat(this.#head);
    this.#head = [received];
    if (isLast) {
      this.#onWhole(received);
      return;
    }
    const head = readHead(received);
    if (typeof head === 'number') {
      this.#bytesNeeded = head;
      return;
    }
    this.#head = [];
    this.#field = new LargeField(this.#source, head.length);
    this.#onRow({ fields: head.fields, length: head.length, field: this.#field });
    this.#field.receive(received.subarray(head.start));
  }
}

/**
 * Returns all fields but the last, the length of the last, and where it begins. If too few bytes have arrived, or the
 * last field is null, returns the number of bytes that the next attempt needs.
 */
function readHead(received: Buffer): { fields: RawRow; length: number; start: number } | number {
  let offset = MESSAGE_HEADER_BYTES;
  if (received.length < offset + 2) return offset + 2;
  const count = received.readUInt16BE(offset);
  offset += 2;
  const fields: RawRow = [];
  for (;;) {
    if (received.length < offset + 4) return offset + 4;
    const length = received.readInt32BE(offset);
    offset += 4;
    if (fields.length === count - 1)
      return length < 0 ? Number.POSITIVE_INFINITY : { fields, length, start: offset };
    const end = offset + Math.max(0, length);
    if (received.length < end) return end;
    fields.push(length < 0 ? null : received.subarray(offset, end));
    offset = end;
  }
}
