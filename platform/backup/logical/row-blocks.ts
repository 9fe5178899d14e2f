/**
 * Cuts the rows of a table into blocks. A block ends after a row whose checksum is small, so that blocks after a changed
 * or added row are the same as before, and are stored once.
 */
import { crc32 } from 'node:zlib';
import { CHUNK_BYTES } from '../archive/chunks/chunk-writer.ts';

const LINE_FEED = 0x0a;
const MIN_BLOCK_BYTES = 128 * 1024;
/** After the minimum, a block ends after this number of bytes on average. */
const AVERAGE_REST_BYTES = 384 * 1024;
const CHECKSUMS = 2 ** 32;

/** A block of rows. A long row may continue in the next one. */
interface RowBlock {
  bytes: Buffer;
  /** Number of rows that end in the block. */
  rows: number;
}

/**
 * Yields blocks of at most `CHUNK_BYTES`.
 * @param output of `copy … to stdout` in the text format, in which each line feed ends a row
 */
export async function* rowBlocks(output: AsyncIterable<Buffer>): AsyncGenerator<RowBlock> {
  let block = Buffer.allocUnsafe(CHUNK_BYTES);
  /** Bytes in the block, the start of its last row, and the rows that end in it. */
  let [length, rowStart, rows] = [0, 0, 0];

  function take(): RowBlock {
    const taken = { bytes: block.subarray(0, length), rows };
    block = Buffer.allocUnsafe(CHUNK_BYTES);
    [length, rowStart, rows] = [0, 0, 0];
    return taken;
  }

  for await (const part of output) {
    for (let from = 0; from < part.length; ) {
      const end = part.indexOf(LINE_FEED, from) + 1 || part.length;
      const copied = part.copy(block, length, from, end);
      from += copied;
      length += copied;
      if (block[length - 1] === LINE_FEED) {
        rows += 1;
        if (endsBlock(block.subarray(rowStart, length), length)) yield take();
        rowStart = length;
      }
      if (length === CHUNK_BYTES) yield take();
    }
  }
  if (length > 0) yield take();
}

/** The probability grows with the length of the row, so that the lengths of blocks do not depend on it. */
function endsBlock(row: Buffer, length: number): boolean {
  return length >= MIN_BLOCK_BYTES && (crc32(row) / CHECKSUMS) * AVERAGE_REST_BYTES < row.length;
}
