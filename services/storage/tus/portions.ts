/** Takes a stream of bytes apart into portions of one size. */

/** A portion. */
export interface Portion {
  bytes: Buffer;
  /** It has the size that was asked for; otherwise it is what was left when the stream ended, or broke off. */
  isFull: boolean;
}

/**
 * Portions of a stream behind what is there already. Where the stream breaks off, what has come is the last portion:
 * whoever sends it finds out by itself.
 */
export async function* portionsOf(
  stream: AsyncIterable<Uint8Array>,
  size: number,
  before: Buffer,
): AsyncGenerator<Portion> {
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
    // Told to the client by the server, which has the stream.
  }
  yield { bytes: Buffer.concat(chunks, length), isFull: false };
}
