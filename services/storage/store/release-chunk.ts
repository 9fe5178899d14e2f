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

/**
 * Returns a function that frees a chunk that is no longer needed. For other streams it does nothing, because their
 * chunks may be shared.
 */
export function chunkReleaserOf(content: Readable): (chunk: Buffer) => void {
  return content instanceof IncomingMessage || requestChunkStreams.has(content) ? release : () => {};
}

/** Frees only whole buffers: slices of a chunk share memory that may still be read. */
function release({ buffer, byteLength }: Buffer): void {
  const ownsBuffer = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (ownsBuffer) buffer.transfer(0);
}
