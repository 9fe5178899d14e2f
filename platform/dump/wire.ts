/** The part of PostgreSQL's protocol (chapter "Frontend/Backend Protocol") between pg_dump and its connection. */

const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const HEADER_BYTES = 5;

/** Returns the response to the start of a session: authenticated, its parameters, and ready. */
export function startupResponse(parameters: ReadonlyMap<string, string>): Buffer {
  return Buffer.concat([
    message('R', int32(0)),
    ...Array.from(parameters, ([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
    message('K', int32(0), int32(0)),
    message('Z', Buffer.from('I')),
  ]);
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Collects the messages of a server until it is ready for the next query. */
export class ResponseCollector {
  #chunks: Buffer[] = [];
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the current message that have not arrived. */
  #missing = 0;

  /** Adds received bytes. Returns the complete response when they end it. */
  add(data: Buffer): Buffer | undefined {
    this.#chunks.push(data);
    let isReady = false;
    for (let offset = 0; offset < data.length; ) {
      offset += this.#headerBytes < HEADER_BYTES ? this.#addToHeader(data, offset) : this.#skip(data, offset);
      if (this.#headerBytes < HEADER_BYTES || this.#missing > 0) continue;
      isReady = this.#header[0] === READY_FOR_QUERY;
      this.#headerBytes = 0;
    }
    if (!isReady) return undefined;
    const response = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return response;
  }

  #addToHeader(data: Buffer, offset: number): number {
    const copied = data.copy(this.#header, this.#headerBytes, offset);
    this.#headerBytes += copied;
    // The length includes itself, but not the type.
    if (this.#headerBytes === HEADER_BYTES) this.#missing = this.#header.readInt32BE(1) - 4;
    return copied;
  }

  #skip(data: Buffer, offset: number): number {
    const skipped = Math.min(this.#missing, data.length - offset);
    this.#missing -= skipped;
    return skipped;
  }
}
