/** Reading a stream as its chunks come, which costs less than iterating over it, and joins none of them. */
import { finished, type Readable } from 'node:stream';

/**
 * Calls `take` with each chunk; where that gives a promise, the next one waits for it. Resolves when all have been taken.
 * Rejects where the stream breaks off, or with what `take` throws. The stream is not destroyed: it is paused where it
 * has not ended.
 */
export async function readChunks(
  content: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let taking: Promise<void> | undefined;
  const fail = (error: unknown) => {
    content.off('data', onChunk).pause();
    ended.reject(error);
  };
  const onChunk = (chunk: Buffer) => {
    try {
      taking = take(chunk);
      if (taking === undefined) return;
      content.pause();
      taking.then(() => content.resume(), fail);
    } catch (error) {
      fail(error);
    }
  };
  const stop = finished(content, { writable: false }, (error) => (error ? fail(error) : ended.resolve()));
  content.on('data', onChunk);
  try {
    await ended.promise;
  } finally {
    stop();
    content.off('data', onChunk);
    await taking?.catch(() => {});
  }
}
