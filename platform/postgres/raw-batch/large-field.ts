/**
 * The last field of a row that is too large to be held in memory: read from the socket no faster than it is taken. The
 * server has to wait for whoever takes it, and the connection with it. So what somebody takes slowly is taken into memory
 * after a while, as long as there is room for it, and the connection is free; and nobody may take nothing for too long.
 */
import { Readable } from 'node:stream';
import { releaseMemory } from '../release-memory.ts';
import { MESSAGE_HEADER_BYTES, type RawRow } from './decode.ts';

/** So much may wait in memory for somebody who takes it more slowly than it comes. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Somebody who takes nothing for so long gets nothing any more. */
const PATIENCE_MS = 30_000;
/** Somebody for whom the server has had to wait, and who takes less than so much in this time, is slow. */
const GRACE_MS = 1000;
const QUICK_BYTES = 4 * 1024 * 1024;
/** So many bytes are kept for all who are slow. */
const MOST_KEPT_BYTES = 256 * 1024 * 1024;

/** So many bytes are kept for one client. */
const MOST_KEPT_OF_CLIENT_BYTES = 64 * 1024 * 1024;
/** A slow answer that is not kept holds its connection for so long at most, however much is taken of it. */
const HELD_MS = 120_000;

/** Of this process. */
let keptBytes = 0;
/** Of this process, by client. */
const keptBytesOf = new Map<string, number>();

function changeKept(client: string | undefined, by: number): void {
  keptBytes += by;
  if (client === undefined) return;
  const bytes = (keptBytesOf.get(client) ?? 0) + by;
  if (bytes > 0) keptBytesOf.set(client, bytes);
  else keptBytesOf.delete(client);
}

function hasRoomFor(client: string | undefined, bytes: number): boolean {
  if (keptBytes + bytes > MOST_KEPT_BYTES) return false;
  return client === undefined || (keptBytesOf.get(client) ?? 0) + bytes <= MOST_KEPT_OF_CLIENT_BYTES;
}

/** A row whose last field is being received. */
export interface LargeRow {
  /** All fields but the last. */
  fields: RawRow;
  /** Of the last field, in bytes. */
  length: number;
  field: LargeField;
}

/** Where the bytes come from. */
interface Source {
  pause(): void;
  resume(): void;
}

/** The bytes of one field. Whoever does not want the rest of them destroys it: what still comes is dropped. */
export class LargeField extends Readable {
  /** Key of the client that takes it: how much is kept for one is bounded. Undefined where clients are not counted. */
  client: string | undefined;
  readonly #source: Source;
  readonly #patienceMs: number;
  readonly #graceMs: number;
  readonly #length: number;
  #received = 0;
  /** What had been taken when it was looked at last. */
  #taken = 0;
  #isPaused = false;
  /** How often it has held its connection for a slow client. */
  #slowLooks = 0;
  /** All of it is taken from the socket, whether anybody wants it yet or not. */
  #isKept = false;
  #impatience: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;

  /** @param length of all of it, in bytes */
  constructor(source: Source, length: number, { patienceMs = PATIENCE_MS, graceMs = GRACE_MS } = {}) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.#source = source;
    this.#length = length;
    this.#patienceMs = patienceMs;
    this.#graceMs = graceMs;
  }

  /** Takes the next bytes from the socket. */
  receive(piece: Buffer, isLast = false): void {
    if (this.destroyed) return;
    this.#received += piece.length;
    const isWanted = this.push(piece);
    // Nothing more of it comes: nobody asks for more, so that nobody would say that the connection may go on.
    if (isLast) {
      clearTimeout(this.#grace);
      this.#goOn();
    }
    if (isLast || isWanted || this.#isPaused || this.#isKept) return;
    this.#isPaused = true;
    this.#source.pause();
    this.#impatience = setTimeout(() => this.#giveUp(), this.#patienceMs);
    // Not begun anew when something is taken: somebody may take a little now and then.
    this.#grace ??= setTimeout(() => this.#look(), this.#graceMs);
  }

  /** As streams do, but the memory of each piece is given back when the destination is done with it. */
  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.on('data', (piece: Buffer) => {
      const takesMore = destination.write(piece, () => releaseMemory(piece));
      if (takesMore) return;
      this.pause();
      destination.once('drain', () => this.resume());
    });
    this.once('end', () => destination.end());
    return destination;
  }

  #giveUp(): void {
    this.destroy(new Error(`nothing of a result was taken for ${this.#patienceMs} ms`));
  }

  #look(): void {
    const taken = this.#received - this.readableLength;
    const isQuick = taken - this.#taken >= QUICK_BYTES;
    this.#taken = taken;
    if (!isQuick && hasRoomFor(this.client, this.#length)) {
      this.#keep();
      return;
    }
    if (!isQuick) this.#slowLooks += 1;
    if (this.#slowLooks * this.#graceMs < HELD_MS) this.#grace?.refresh();
    else this.destroy(new Error(`a result was taken too slowly for ${HELD_MS} ms`));
  }

  #keep(): void {
    changeKept(this.client, this.#length);
    this.#isKept = true;
    this.#goOn();
    let before = this.readableLength;
    // Nobody asks for more of what is here already: that something was taken shows in what is left.
    this.#impatience = setInterval(() => {
      const left = this.readableLength;
      if (left > 0 && left === before) this.#giveUp();
      before = left;
    }, this.#patienceMs).unref();
  }

  override _read(): void {
    if (!this.#isKept) this.#goOn();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#grace);
    clearTimeout(this.#impatience);
    if (this.#isKept) changeKept(this.client, -this.#length);
    this.#goOn();
    done(error);
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    clearTimeout(this.#impatience);
    this.#isPaused = false;
    this.#source.resume();
  }
}

/** Takes a DataRow in pieces, until the length of its last field is known, and then that field. */
export class LargeRowReader {
  readonly #source: Source;
  readonly #onRow: (row: LargeRow) => void;
  readonly #onWhole: (message: Buffer) => void;
  #head: Buffer[] = [];
  #received = 0;
  /** So many bytes tell more than is known already: what has come is put together only then. */
  #needed = 0;
  #field: LargeField | undefined;

  /**
   * @param onRow told once the last field has begun
   * @param onWhole given the whole message where another field was the large one
   */
  constructor(source: Source, onRow: (row: LargeRow) => void, onWhole: (message: Buffer) => void) {
    this.#source = source;
    this.#onRow = onRow;
    this.#onWhole = onWhole;
  }

  /** Takes the next piece of the message, which begins with its header. */
  receive(piece: Buffer, isLast: boolean): void {
    if (this.#field === undefined) this.#receiveHead(piece, isLast);
    else this.#field.receive(piece, isLast);
    if (isLast) this.#field?.push(null);
  }

  /** The connection was lost. */
  fail(error: Error): void {
    this.#field?.destroy(error);
  }

  #receiveHead(piece: Buffer, isLast: boolean): void {
    this.#head.push(piece);
    this.#received += piece.length;
    if (!isLast && this.#received < this.#needed) return;
    const received = this.#head.length === 1 ? piece : Buffer.concat(this.#head);
    this.#head = [received];
    if (isLast) {
      this.#onWhole(received);
      return;
    }
    const head = readHead(received);
    if (typeof head === 'number') {
      this.#needed = head;
      return;
    }
    this.#head = [];
    this.#field = new LargeField(this.#source, head.length);
    this.#onRow({ fields: head.fields, length: head.length, field: this.#field });
    this.#field.receive(received.subarray(head.start));
  }
}

/**
 * All fields but the last, how long that is, and where it begins. Where not enough has come, or the last field is null:
 * how many bytes would tell more.
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
