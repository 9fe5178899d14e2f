/**
 * Giving back the memory of chunks of a request. Node.js makes each of them of memory of its own; were that left to the
 * garbage collector, it would look through everything that there is for nothing but them, several times a second.
 */
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** What to call with a chunk that is not needed any more. Chunks of other streams may be somebody else's, and stay. */
export function releaserOf(content: Readable): (chunk: Buffer) => void {
  return content instanceof IncomingMessage ? release : () => {};
}

function release({ buffer, byteLength }: Buffer): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole) buffer.transfer(0);
}
