/**
 * Splits the bytes of a server into messages (PostgreSQL's documentation, "Message Formats"): one byte of type, then
 * the length as Int32, which includes itself but not the type, then the contents.
 */
import { releaseMemory } from '../release-memory.ts';
import { MESSAGE_HEADER_BYTES } from './decode.ts';

const LENGTH_OFFSET = 1;

/** A longer message that has not arrived completely can be received in chunks. */
const LARGE_BYTES = 512 * 1024;

/** Receives the chunks of one message; the first begins with its header. */
export type ChunkReceiver = (chunk: Buffer, isLast: boolean) => void;

/**
 * Receives a whole message, including its header: the bytes from `start` to `end` of the received bytes. Slicing each
 * message would cost more than reading it, since most are a few bytes long.
 */
export type MessageReceiver = (bytes: Buffer, start: number, end: number) => void;

/** Emits one whole message after the other. A message that arrived in one chunk is not copied. */
export class MessageSplitter {
  readonly #onMessage: MessageReceiver;
  readonly #onLarge: (type: number) => ChunkReceiver | undefined;
  /** Bytes that are too few to contain the length of their message. */
  #rest: Buffer | undefined;
  /** A message of which `#filled` bytes have arrived. Allocated once, no matter in how many chunks it arrives. */
  #message: Buffer | undefined;
  #filled = 0;
  /** The receiver of a message that arrives in chunks, and how many bytes of it are missing. */
  #receiveChunk: ChunkReceiver | undefined;
  #missing = 0;

  /**
   * @param onLarge returns the receiver of the chunks of a large message of this type; undefined to emit the message
   * whole
   */
  constructor(
    onMessage: MessageReceiver,
    onLarge: (type: number) => ChunkReceiver | undefined = () => undefined,
  ) {
    this.#onMessage = onMessage;
    this.#onLarge = onLarge;
  }

  /** Receives the next chunk of the stream. */
  push(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#rest !== undefined) {
      bytes = Buffer.concat([this.#rest, chunk]);
      this.#rest = undefined;
    }
    let offset = this.#continue(bytes);
    while (bytes.length - offset >= MESSAGE_HEADER_BYTES) {
      const end = offset + LENGTH_OFFSET + bytes.readUInt32BE(offset + LENGTH_OFFSET);
      if (end > bytes.length) {
        offset = this.#begin(bytes, offset, end - offset);
      } else {
        this.#onMessage(bytes, offset, end);
        offset = end;
      }
    }
    if (offset < bytes.length) this.#rest = bytes.subarray(offset);
  }

  /** Continues the message that is not complete, and returns the offset of the next one. */
  #continue(bytes: Buffer): number {
    if (this.#receiveChunk !== undefined) return this.#pass(this.#receiveChunk, bytes, 0);
    if (this.#message === undefined) return 0;
    const { length } = bytes;
    const end = this.#fill(this.#message, bytes, 0);
    // All bytes have been copied.
    if (end === length) releaseMemory(bytes);
    return end;
  }

  #begin(bytes: Buffer, offset: number, length: number): number {
    this.#receiveChunk = length > LARGE_BYTES ? this.#onLarge(bytes[offset] ?? 0) : undefined;
    if (this.#receiveChunk !== undefined) {
      this.#missing = length;
      return this.#pass(this.#receiveChunk, bytes, offset);
    }
    this.#message = Buffer.allocUnsafe(length);
    this.#filled = 0;
    return this.#fill(this.#message, bytes, offset);
  }

  #pass(receiveChunk: ChunkReceiver, bytes: Buffer, offset: number): number {
    const chunk = bytes.subarray(offset, offset + this.#missing);
    this.#missing -= chunk.length;
    const isLast = this.#missing === 0;
    if (isLast) this.#receiveChunk = undefined;
    receiveChunk(chunk, isLast);
    return offset + chunk.length;
  }

  #fill(message: Buffer, bytes: Buffer, offset: number): number {
    const copied = bytes.copy(message, this.#filled, offset);
    this.#filled += copied;
    if (this.#filled === message.length) {
      this.#message = undefined;
      this.#onMessage(message, 0, message.length);
    }
    return offset + copied;
  }
}
