/** Reads the lines of a segment from its end, in chunks of bounded size. */
import type { FileHandle } from 'node:fs/promises';

/** Longer than any line. */
const CHUNK_BYTES = 256 * 1024;
const NEW_LINE = 0x0a;

/** Whole lines of a segment. */
export interface Chunk {
  /** Offset of the first line. */
  start: number;
  /** Ends with a line break, unless the segment does not. */
  bytes: Buffer;
}

/** Reads the lines that end at an offset. A part of a line that has no beginning in the chunk is left to the next one. */
export async function readChunkBefore(file: FileHandle, end: number): Promise<Chunk> {
  const from = Math.max(0, end - CHUNK_BYTES);
  const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(end - from), position: from });
  const bytes = buffer.subarray(0, bytesRead);
  if (from === 0) return { start: 0, bytes };
  const first = bytes.indexOf(NEW_LINE);
  // Without a whole line, it is no line of the log.
  if (first === -1 || first === bytes.length - 1) return { start: from, bytes: bytes.subarray(0, 0) };
  return { start: from + first + 1, bytes: bytes.subarray(first + 1) };
}

/** Iterates over the lines of a chunk from the last to the first. `offset` is that in the segment. */
export function* linesFromEnd({ start, bytes }: Chunk): Generator<{ offset: number; line: string }> {
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === NEW_LINE) end -= 1;
  while (end > 0) {
    const before = bytes.lastIndexOf(NEW_LINE, end - 1);
    yield { offset: start + before + 1, line: bytes.toString('utf8', before + 1, end) };
    end = before;
  }
}
