/**
 * The last field of a row that is too large to be held in memory: read from the socket no faster than it is taken. The
 * server has to wait for whoever takes it, and the connection with it, so nobody may take too long.
 */
import { Readable } from 'node:stream';
import { MESSAGE_HEADER_BYTES, type RawRow } from './decode.ts';

/** So much may wait in memory for somebody who takes it more slowly than it comes. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Somebody who takes nothing for so long gets nothing any more. */
const PATIENCE_MS = 30_000;

/** A row whose last field is being received. */
export interface LargeRow {
  /** All fields but the last. */
  fields: RawRow;
  /** Of the last field, in bytes. */
  length: number;
  field: LargeField;
}

/** Where the bytes come from. */
export interface Source {
  pause(): void;
  resume(): void;
}

/** The bytes of one field. Whoever does not want the rest of them destroys it: what still comes is dropped. */
export class LargeField extends Readable {
  readonly #source: Source;
  readonly #patienceMs: number;
  #isPaused = false;
  #impatience: NodeJS.Timeout | undefined;

  constructor(source: Source, patienceMs: number = PATIENCE_MS) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.#source = source;
    this.#patienceMs = patienceMs;
  }

  /** Takes the next bytes from the socket. */
  receive(piece: Buffer, isLast = false): void {
    if (this.destroyed) return;
    const isWanted = this.push(piece);
    // Nothing more of it comes: nobody asks for more, so that nobody would say that the connection may go on.
    if (isLast) this.#goOn();
    if (isLast || isWanted || this.#isPaused) return;
    this.#isPaused = true;
    this.#source.pause();
    this.#impatience = setTimeout(() => {
      this.destroy(new Error(`nothing of a result was taken for ${this.#patienceMs} ms`));
    }, this.#patienceMs);
  }

  override _read(): void {
    this.#goOn();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#goOn();
    done(error);
  }

  #goOn(): void {
    clearTimeout(this.#impatience);
    if (!this.#isPaused) return;
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
    const received = Buffer.concat(this.#head);
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
    this.#field = new LargeField(this.#source);
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
