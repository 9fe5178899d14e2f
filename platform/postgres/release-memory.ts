/**
 * Releases the memory of large buffers as soon as they are no longer needed. The garbage collector would do so, too,
 * but V8 starts a full collection whenever 64 MB of such memory have been allocated: with inserts of a thousand rows,
 * and with reads of ten thousand, that was half of this process's work.
 */

/** Smaller buffers are not worth releasing. */
const LARGE_BYTES = 16 * 1024;

/**
 * Releases the memory of a large buffer that is the only view of its ArrayBuffer. All other references to it become
 * empty.
 */
export function releaseMemory(bytes: Buffer): void {
  const { buffer } = bytes;
  const isOwn = buffer.byteLength === bytes.length;
  if (bytes.length >= LARGE_BYTES && isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
