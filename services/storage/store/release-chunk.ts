/**
 * Giving back the memory of chunks of a request. Node.js makes each of them of memory of its own; were that left to the
 * garbage collector, it would look through everything that there is for nothing but them, several times a second.
 */
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** Streams that pass chunks of a request on. */
const passingOn = new WeakSet<Readable>();

/** Says of a stream that what it gives are chunks of a request, of which nobody but its reader knows any more. */
export function passesChunksOn<Stream extends Readable>(content: Stream): Stream {
  passingOn.add(content);
  return content;
}

/** What to call with a chunk that is not needed any more. Chunks of other streams may be somebody else's, and stay. */
export function releaserOf(content: Readable): (chunk: Buffer) => void {
  return content instanceof IncomingMessage || passingOn.has(content) ? release : () => {};
}

/** Pieces of a chunk stay: others may be read yet. */
function release({ buffer, byteLength }: Buffer): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole) buffer.transfer(0);
}
