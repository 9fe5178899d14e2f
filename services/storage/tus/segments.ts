/** Splits a byte stream into segments of one size. */

/** A segment of a stream. */
export interface Segment {
  bytes: Buffer;
  /** Whether it has the requested size. Otherwise it is the rest when the stream ended or failed. */
  isFull: boolean;
}

/**
 * Yields segments of `before` followed by the stream. If the stream fails, the bytes received until then are the last
 * segment; the error is not rethrown.
 */
export async function* segmentsOf(
  stream: AsyncIterable<Uint8Array>,
  size: number,
  before: Buffer,
): AsyncGenerator<Segment> {
  let chunks: Uint8Array[] = [before];
  let length = before.length;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length < size) continue;
      let bytes = Buffer.concat(chunks, length);
      for (; bytes.length >= size; bytes = bytes.subarray(size)) {
        yield { bytes: bytes.subarray(0, size), isFull: true };
      }
      chunks = [bytes];
      length = bytes.length;
    }
  } catch {
    // The tus server has the stream and reports the error to the client.
  }
  yield { bytes: Buffer.concat(chunks, length), isFull: false };
}
