/**
 * Decodes bodies in `aws-chunked` encoding:
 *
 *     body     = *chunk last [ trailers ] CRLF
 *     chunk    = size [ ";chunk-signature=" 64HEXDIG ] CRLF data CRLF
 *     last     = "0" [ ";chunk-signature=" 64HEXDIG ] CRLF
 *     trailers = 1*( name ":" value CRLF )
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html and …/sigv4-streaming-trailers.html
 */
import { Transform, type TransformCallback } from 'node:stream';
import { failure } from '../../errors.ts';
import { markOnlySlice } from '../../store/release-chunk.ts';
import { s3Failure } from '../errors.ts';
import { type Checksum, createChecksum } from './checksum.ts';
import type { ChunkSigner } from './chunk-signer.ts';

/** Longest chunk header or trailer. */
const MAX_LINE_BYTES = 1024;
const MAX_TRAILERS = 16;
const SIGNATURE_TRAILER = 'x-amz-trailer-signature';
const CHUNK = /^([0-9a-f]{1,15})(?:;chunk-signature=([0-9a-f]{64}))?$/i;
const EMPTY = Buffer.alloc(0);
const CR = 13;
const LF = 10;

/** Format of a chunked body. */
export interface ChunkedOptions {
  /** Undefined: the chunks are not signed. */
  signer: ChunkSigner | undefined;
  /** Whether trailers follow the last chunk. */
  hasTrailers: boolean;
  /** Names of the checksums that the header `x-amz-trailer` declares. */
  trailers: readonly string[];
  /** Value of `x-amz-decoded-content-length` in bytes. */
  length: number | undefined;
}

type State = 'size' | 'data' | 'end of data' | 'trailers' | 'done';

const TRAILING_DATA_ERRORS: Partial<Record<State, string>> = {
  'end of data': 'a chunk is longer than its size',
  done: 'data follows its end',
};

/** Decodes a chunked body. Fails if a signature, a checksum or the length is wrong. */
export class ChunkedContent extends Transform {
  readonly #options: ChunkedOptions;
  readonly #checksums: readonly Checksum[];
  readonly #trailers = new Map<string, string>();
  #state: State = 'size';
  #line: Buffer = EMPTY;
  #leftInChunk = 0;
  #received = 0;

  /** Throws InvalidRequest if an unknown checksum is declared. */
  constructor(options: ChunkedOptions) {
    super();
    this.#options = options;
    this.#checksums = options.trailers.map(createChecksum);
  }

  /**
   * Moves the content of all chunks in `data` together within its memory, and pushes it at once, so that its consumer can
   * free the memory of the whole request chunk.
   */
  override _transform(data: Buffer, _encoding: string, done: TransformCallback): void {
    try {
      let [start, end, position] = [0, 0, 0];
      while (position < data.length) {
        const rest = data.subarray(position);
        if (this.#state === 'data') {
          const { length } = this.#takeData(rest);
          if (start === end) [start, end] = [position, position];
          else data.copyWithin(end, position, position + length);
          end += length;
          position += length;
        } else {
          position += this.#takeLine(rest);
        }
      }
      // `data` must not be used after this call: the consumer may already have freed its memory.
      if (start < end) this.push(markOnlySlice(data.subarray(start, end), data));
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      // Some clients omit the final empty line, which has no meaning.
      if (this.#state === 'trailers' && this.#line.length === 0) this.#end();
      if (this.#state !== 'done') throw malformed('it ends too early');
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** Returns the content at the beginning of `data`. */
  #takeData(data: Buffer): Buffer {
    const content = data.subarray(0, this.#leftInChunk);
    this.#leftInChunk -= content.length;
    this.#received += content.length;
    this.#options.signer?.update(content);
    for (const checksum of this.#checksums) checksum.update(content);
    if (this.#leftInChunk === 0) {
      this.#options.signer?.endChunk();
      this.#state = 'end of data';
    }
    return content;
  }

  /** Buffers bytes until a line is complete. Returns the number of bytes of `data` that belong to the line. */
  #takeLine(data: Buffer): number {
    const end = data.indexOf(LF);
    const chunk = end === -1 ? data : data.subarray(0, end);
    if (this.#line.length + chunk.length > MAX_LINE_BYTES) throw malformed('a line is too long');
    const line = this.#line.length === 0 ? chunk : Buffer.concat([this.#line, chunk]);
    if (end === -1) {
      this.#line = Buffer.from(line);
      return data.length;
    }
    if (line.at(-1) !== CR && this.#state !== 'trailers') throw malformed('a line does not end with CRLF');
    this.#line = EMPTY;
    this.#readLine((line.at(-1) === CR ? line.subarray(0, -1) : line).toString('latin1'));
    return end + 1;
  }

  #readLine(line: string): void {
    if (this.#state === 'size') this.#beginChunk(line);
    else if (this.#state === 'trailers' && line !== '') this.#addTrailer(line);
    else if (line !== '') throw malformed(TRAILING_DATA_ERRORS[this.#state] ?? '');
    else if (this.#state === 'trailers') this.#end();
    else if (this.#state === 'end of data') this.#state = 'size';
  }

  #beginChunk(line: string): void {
    const { signer, length } = this.#options;
    const [, digits, signature] = CHUNK.exec(line) ?? [];
    if (digits === undefined) throw malformed('a chunk has no size');
    if (signer !== undefined && signature === undefined) throw malformed('a chunk has no signature');
    const size = Number.parseInt(digits, 16);
    if (length !== undefined && this.#received + size > length)
      throw malformed('it is longer than its declared length');
    signer?.beginChunk(signature ?? '');
    this.#leftInChunk = size;
    if (size > 0) {
      this.#state = 'data';
      return;
    }
    signer?.endChunk();
    this.#state = 'trailers';
  }

  #addTrailer(line: string): void {
    const colon = line.indexOf(':');
    if (colon < 1) throw malformed('a trailer has no name');
    if (this.#trailers.size >= MAX_TRAILERS) throw malformed('it has too many trailers');
    this.#trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }

  #end(): void {
    this.#state = 'done';
    const { signer, length, hasTrailers } = this.#options;
    if (length !== undefined && this.#received !== length)
      throw malformed('it is shorter than its declared length');
    const signature = this.#trailers.get(SIGNATURE_TRAILER);
    this.#trailers.delete(SIGNATURE_TRAILER);
    if (!hasTrailers && this.#trailers.size > 0) throw malformed('it has undeclared trailers');
    if (hasTrailers && signer !== undefined) signer.requireTrailers(this.#trailers, signature ?? '');
    for (const checksum of this.#checksums) {
      const expected = this.#trailers.get(checksum.name);
      if (expected === undefined) throw malformed(`trailer ${checksum.name} is missing`);
      checksum.require(expected);
    }
  }
}

function malformed(reason: string): Error {
  return s3Failure('IncompleteBody', { message: `The chunked body is not valid: ${reason}` });
}

/** Parses the header `x-amz-trailer`. Throws InvalidRequest. */
export function declaredTrailers(header: string | undefined): string[] {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > MAX_TRAILERS) throw failure('InvalidRequest', { message: 'Too many trailers' });
  return names;
}
