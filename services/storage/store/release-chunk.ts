/**
 * Frees the memory of request chunks early. Node.js allocates each chunk separately. If freeing them were left to the
 * garbage collector, large uploads would trigger a full collection several times a second.
 */
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** Streams that yield chunks of a request. */
const requestChunkStreams = new WeakSet<Readable>();

/** Marks a stream whose chunks are chunks of a request that only the reader of the stream references. */
export function markRequestChunks<Stream extends Readable>(content: Stream): Stream {
  requestChunkStreams.add(content);
  return content;
}

/** Slices of chunks whose other bytes are no longer needed. */
const onlySlices = new WeakSet<Buffer>();

/** Marks the only slice of a chunk that is still read, so that freeing the slice frees the chunk. Returns the slice. */
export function markOnlySlice(slice: Buffer, chunk: Buffer): Buffer {
  if (ownsMemory(chunk)) onlySlices.add(slice);
  return slice;
}

/**
 * Returns a function that frees a chunk that is no longer needed. For other streams it does nothing, because their
 * chunks may be shared.
 */
export function chunkReleaserOf(content: Readable): (chunk: Buffer) => void {
  return content instanceof IncomingMessage || requestChunkStreams.has(content) ? release : () => {};
}

/** Frees only whole chunks: other slices of a chunk share memory that may still be read. */
function release(chunk: Buffer): void {
  if (ownsMemory(chunk) || onlySlices.has(chunk)) freeMemory(chunk);
}

/** Frees the memory of a buffer at once. Nothing may read the buffer or another slice of its memory afterwards. */
export function freeMemory({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function ownsMemory({ buffer, byteLength }: Buffer): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
