/**
 * Reads a tar archive (POSIX ustar) that arrives in arbitrary parts. Files are returned in blocks of a fixed size, which
 * the caller owns, so that large files need no more memory than small ones. Pure.
 */

/** Size of the blocks of a file; the last one is smaller. */
export const BLOCK_BYTES = 1024 * 1024;

const RECORD_BYTES = 512;

/** A file, a folder or a symbolic link. */
interface TarEntry {
  /** Relative to the root of the archive, with `/` between folders, without one at its end. */
  path: string;
  type: 'file' | 'directory' | 'link';
  /** Permissions, e.g. 0o600. */
  mode: number;
  /** Size of a file in bytes. */
  size: number;
  /** Target of a link. */
  target: string;
}

/** A block of an entry. An empty file, a folder or a link has one, which is empty. */
export interface TarBlock {
  entry: TarEntry;
  /** Offset of the bytes in the file. */
  offset: number;
  bytes: Buffer;
}

const TYPES: Readonly<Record<string, TarEntry['type']>> = {
  '0': 'file',
  '\0': 'file',
  '5': 'directory',
  '2': 'link',
};
const NOTHING = Buffer.alloc(0);

/** Reads one archive after the other. */
export class TarReader {
  readonly #onBlock: (block: TarBlock) => void;
  /** The header that is being received. */
  readonly #header = Buffer.alloc(RECORD_BYTES);
  #headerBytes = 0;
  #entry: TarEntry | undefined;
  #offset = 0;
  #block = NOTHING;
  #blockBytes = 0;
  /** Bytes after a file up to the next record. */
  #padding = 0;
  #hasEnded = false;

  /** @param onBlock called with the blocks in the order of the archive */
  constructor(onBlock: (block: TarBlock) => void) {
    this.#onBlock = onBlock;
  }

  /** Begins another archive. Throws if the previous one is incomplete. */
  restart(): void {
    this.end();
    this.#hasEnded = false;
  }

  /** Throws if the archive is incomplete. */
  end(): void {
    if (this.#entry !== undefined) throw new Error(`the archive ends within ${this.#entry.path}`);
    if (this.#headerBytes > 0) throw new Error('the archive ends within a header');
  }

  /** Reads the next bytes, which are copied. Throws if they are no archive. */
  push(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length && !this.#hasEnded) {
      if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, bytes.length - from);
        this.#padding -= skipped;
        from += skipped;
      } else if (this.#entry === undefined) from += this.#pushHeader(bytes, from);
      else from += this.#pushContent(this.#entry, bytes, from);
    }
  }

  #pushHeader(bytes: Buffer, from: number): number {
    const copied = bytes.copy(this.#header, this.#headerBytes, from);
    this.#headerBytes += copied;
    if (this.#headerBytes < RECORD_BYTES) return copied;
    this.#headerBytes = 0;
    const entry = readHeader(this.#header);
    // Empty records are the end of the archive.
    if (entry === undefined) this.#hasEnded = true;
    else if (entry.size === 0) this.#onBlock({ entry, offset: 0, bytes: NOTHING });
    else this.#begin(entry);
    return copied;
  }

  #begin(entry: TarEntry): void {
    this.#entry = entry;
    this.#offset = 0;
    this.#allocate(entry.size);
  }

  #allocate(remaining: number): void {
    this.#block = Buffer.allocUnsafeSlow(Math.min(remaining, BLOCK_BYTES));
    this.#blockBytes = 0;
  }

  #pushContent(entry: TarEntry, bytes: Buffer, from: number): number {
    const copied = bytes.copy(this.#block, this.#blockBytes, from);
    this.#blockBytes += copied;
    if (this.#blockBytes < this.#block.length) return copied;
    const block = { entry, offset: this.#offset, bytes: this.#block };
    this.#offset += this.#block.length;
    if (this.#offset < entry.size) this.#allocate(entry.size - this.#offset);
    else {
      this.#entry = undefined;
      this.#block = NOTHING;
      this.#padding = (RECORD_BYTES - (entry.size % RECORD_BYTES)) % RECORD_BYTES;
    }
    this.#onBlock(block);
    return copied;
  }
}

/** Returns undefined for an empty record. Throws if the record is no header. */
function readHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  if (readNumber(header, 148, 8) !== checksumOf(header))
    throw new Error('a header of the archive is damaged');
  const type = TYPES[String.fromCharCode(header[156] ?? 0)];
  const prefix = readText(header, 345, 155);
  const name = readText(header, 0, 100);
  const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, '').replace(/\/$/, '');
  if (type === undefined) throw new Error(`${path} is neither a file nor a folder nor a link`);
  return {
    path,
    type,
    mode: readNumber(header, 100, 8) & 0o7777,
    size: type === 'file' ? readNumber(header, 124, 12) : 0,
    target: readText(header, 157, 100),
  };
}

/** The checksum is the sum of all bytes, with spaces in its own place. */
function checksumOf(header: Buffer): number {
  let sum = 8 * ' '.charCodeAt(0);
  for (let index = 0; index < RECORD_BYTES; index++)
    if (index < 148 || index >= 156) sum += header[index] ?? 0;
  return sum;
}

function readText(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** A number is octal text or, if it is too large for that, binary (GNU). */
function readNumber(header: Buffer, from: number, length: number): number {
  const first = header[from] ?? 0;
  if (first < 0x80) return Number.parseInt(readText(header, from, length).trim() || '0', 8);
  // The first byte only has the flag: no file has more than 2^56 bytes.
  let value = 0;
  for (const byte of header.subarray(from + 1, from + length)) value = value * 256 + byte;
  return value;
}
