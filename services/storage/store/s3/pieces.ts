/**
 * Splits a stream into buffers, because an S3 store requires the length in advance and a request may have to be
 * retried.
 */
import type { Readable } from 'node:stream';
import { failure } from '../../errors.ts';

/** Most buffered chunks. Each chunk has memory overhead, which a client that sends single bytes could exploit. */
const MAX_CHUNKS = 1024;

/**
 * Yields pieces of `pieceBytes`; the last one may be smaller, and an empty stream yields one empty piece. Throws
 * EntityTooLarge. The stream is not destroyed.
 */
export async function* splitIntoPieces(
  content: Readable,
  maxBytes: number,
  pieceBytes: (index: number) => number,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let size = 0;
  let index = 0;
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw failure('EntityTooLarge');
    held.push(chunk);
    heldBytes += chunk.length;
    if (held.length > MAX_CHUNKS) held = [Buffer.concat(held)];
    while (heldBytes >= pieceBytes(index)) {
      const whole = Buffer.concat(held);
      const length = pieceBytes(index);
      const rest = whole.subarray(length);
      index += 1;
      yield whole.subarray(0, length);
      held = rest.length > 0 ? [rest] : [];
      heldBytes = rest.length;
    }
  }
  if (heldBytes > 0 || index === 0) yield Buffer.concat(held);
}
