/**
 * Memory of large bytes, given back as soon as nobody needs it. The garbage collector would, too, but V8 begins to collect
 * everything whenever 64 MB of such memory have been taken: with inserts of a thousand rows, and with reads of ten thousand,
 * that was half of what this process did.
 */

/** Less is not worth giving back. */
const LARGE_BYTES = 16 * 1024;

/** Gives the memory of bytes back, if they are many, and all of what they are in. Whoever still has them finds them empty. */
export function releaseMemory(bytes: Buffer): void {
  const { buffer } = bytes;
  const isOwn = buffer.byteLength === bytes.length;
  if (bytes.length >= LARGE_BYTES && isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
