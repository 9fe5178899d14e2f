/** Archives of npm packages, for tests. */
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** Offsets of the fields of a header. */
const [MODE, SIZE, CHECKSUM, TYPE, MAGIC, VERSION] = [100, 124, 148, 156, 257, 263] as const;

/** Returns a compressed archive (ustar) of these files. */
export function tarballOf(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [headerOf(name, content.length), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

/** Numbers are octal, and fields end with a zero. The checksum is the sum of all bytes, with blanks in its own field. */
function headerOf(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const fields = [
    [0, name],
    [MODE, '0000644'],
    [SIZE, bytes.toString(8).padStart(11, '0')],
    [CHECKSUM, '        '],
    [TYPE, '0'],
    [MAGIC, 'ustar'],
    [VERSION, '00'],
  ] as const;
  for (const [offset, text] of fields) header.write(text, offset);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(sum.toString(8).padStart(6, '0'), CHECKSUM);
  header[CHECKSUM + 6] = 0;
  return header;
}
