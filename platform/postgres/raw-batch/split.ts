/**
 * Cuts what a server sends into messages (PostgreSQL's documentation, "Message Formats"): one byte of type, then the
 * length as Int32, which counts itself but not the type, then the contents.
 */

const LENGTH_OFFSET = 1;
const HEADER_BYTES = 5;

/** Gives on one whole message after the other, each with its header. A message that came in one piece is not copied. */
export class MessageSplitter {
  readonly #onMessage: (message: Buffer) => void;
  /** What is too short to say how long the message is. */
  #rest: Buffer | undefined;
  /** A message of which `#filled` bytes have come. Allocated once, however many pieces it comes in. */
  #message: Buffer | undefined;
  #filled = 0;

  constructor(onMessage: (message: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  /** Takes the next piece of the stream. */
  push(piece: Buffer): void {
    let bytes = piece;
    if (this.#rest !== undefined) {
      bytes = Buffer.concat([this.#rest, piece]);
      this.#rest = undefined;
    }
    let offset = this.#message === undefined ? 0 : this.#fill(this.#message, bytes, 0);
    while (bytes.length - offset >= HEADER_BYTES) {
      const end = offset + LENGTH_OFFSET + bytes.readUInt32BE(offset + LENGTH_OFFSET);
      if (end > bytes.length) {
        this.#message = Buffer.allocUnsafe(end - offset);
        this.#filled = 0;
        offset = this.#fill(this.#message, bytes, offset);
      } else {
        this.#onMessage(bytes.subarray(offset, end));
        offset = end;
      }
    }
    if (offset < bytes.length) this.#rest = bytes.subarray(offset);
  }

  #fill(message: Buffer, bytes: Buffer, offset: number): number {
    const copied = bytes.copy(message, this.#filled, offset);
    this.#filled += copied;
    if (this.#filled === message.length) {
      this.#message = undefined;
      this.#onMessage(message);
    }
    return offset + copied;
  }
}
