/** Headers of tar files (POSIX ustar), for regular files with short names. */
import { ArchiveError } from '../errors.ts';

/** Size of a header; contents are padded to a multiple of it. */
export const TAR_BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const CHECKSUM_START = 148;
const CHECKSUM_END = 156;

/** A file in a tar file. */
interface TarEntry {
  name: string;
  size: number;
  modified: Date;
}

/** Returns the number of bytes that a content takes, with its padding. */
export function paddedBytes(size: number): number {
  return Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
}

/** Returns the header of a file. */
export function encodeTarHeader({ name, size, modified }: TarEntry): Buffer {
  if (name.length > MAX_NAME_BYTES)
    throw new ArchiveError(
      'refused',
      `${name} is longer than ${MAX_NAME_BYTES} characters, as names in a file may be`,
    );
  const header = Buffer.alloc(TAR_BLOCK_BYTES);
  header.write(name, 0, 'latin1');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(`${octal(size, 11)} `, 124, 'latin1');
  header.write(`${octal(Math.floor(modified.getTime() / 1000), 11)} `, 136, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${octal(checksumOf(header), 6)}\0 `, CHECKSUM_START, 'latin1');
  return header;
}

/** Parses a header; undefined for the end of the tar file. Throws kind `damaged`. */
export function decodeTarHeader(header: Buffer, position: number): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const name = textAt(header, 0, MAX_NAME_BYTES);
  const size = Number.parseInt(textAt(header, 124, 12), 8);
  const seconds = Number.parseInt(textAt(header, 136, 12), 8);
  const isValid =
    header.length === TAR_BLOCK_BYTES &&
    Number.parseInt(textAt(header, CHECKSUM_START, 8), 8) === checksumOf(header) &&
    Number.isSafeInteger(size) &&
    Number.isSafeInteger(seconds);
  if (!isValid) throw new ArchiveError('damaged', `it has no valid tar header at byte ${position}`);
  return { name, size, modified: new Date(seconds * 1000) };
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function textAt(header: Buffer, start: number, length: number): string {
  const text = header.toString('latin1', start, start + length);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** The sum of all bytes, with spaces in the place of the checksum. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [index, byte] of header.entries())
    sum += index >= CHECKSUM_START && index < CHECKSUM_END ? 0x20 : byte;
  return sum;
}
