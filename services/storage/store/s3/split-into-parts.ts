/**
 * Splits a stream into buffers, because an S3 store requires the length in advance and a request may have to be
 * retried.
 */
import type { Readable } from 'node:stream';
import { failure } from '../../errors.ts';

/** Most buffered chunks. Each chunk has memory overhead, which a client that sends single bytes could exploit. */
const MAX_CHUNKS = 1024;

/**
 * Yields parts of `partBytes`; the last one may be smaller, and an empty stream yields one empty part. Throws
 * EntityTooLarge. The stream is not destroyed.
 */
export async function* splitIntoParts(
  content: Readable,
  maxBytes: number,
  partBytes: (index: number) => number,
): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let size = 0;
  let index = 0;
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw failure('EntityTooLarge');
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    if (buffered.length > MAX_CHUNKS) buffered = [Buffer.concat(buffered)];
    while (bufferedBytes >= partBytes(index)) {
      const joined = Buffer.concat(buffered);
      const length = partBytes(index);
      const rest = joined.subarray(length);
      index += 1;
      yield joined.subarray(0, length);
      buffered = rest.length > 0 ? [rest] : [];
      bufferedBytes = rest.length;
    }
  }
  if (bufferedBytes > 0 || index === 0) yield Buffer.concat(buffered);
}
