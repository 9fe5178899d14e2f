/**
 * Gives a copied cluster an identifier of its own. PostgreSQL recognises by it which backups and write-ahead logs belong
 * to a cluster, so two clusters must never have the same.
 */
import { randomInt } from 'node:crypto';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Offset of `xlp_sysid` in the header of a segment of the write-ahead log (`XLogLongPageHeaderData`). */
const OFFSET_IN_SEGMENT = 24;
const SEGMENT_NAME = /^[0-9A-F]{24}$/;
/** Range of the offset of the checksum in `ControlFileData`; the exact one depends on the version. */
const CHECKSUM_OFFSETS = { from: 200, to: 512 };

/** Replaces the identifier of a cluster that was shut down. Rejects if its control file is not understood. */
export async function renewSystemIdentifier(cluster: string): Promise<void> {
  const identifier = createIdentifier();
  await renewControlFile(join(cluster, 'global', 'pg_control'), identifier);
  const folder = join(cluster, 'pg_wal');
  const segments = (await readdir(folder)).filter((name) => SEGMENT_NAME.test(name));
  await Promise.all(segments.map((name) => renewSegment(join(folder, name), identifier)));
}

/** Like PostgreSQL's own identifiers: seconds since 1970 in the upper half; the lower half is random here. */
function createIdentifier(): bigint {
  return (BigInt(Math.floor(Date.now() / 1000)) << 32n) | BigInt(randomInt(2 ** 32));
}

/** The control file begins with the identifier, and has a checksum behind its last field. */
async function renewControlFile(path: string, identifier: bigint): Promise<void> {
  const content = await readFile(path);
  const end = checksumOffset(content);
  content.writeBigUInt64LE(identifier);
  content.writeUInt32LE(crc32c(content.subarray(0, end)), end);
  await writeFile(path, content);
}

function checksumOffset(content: Buffer): number {
  for (let offset = CHECKSUM_OFFSETS.from; offset <= CHECKSUM_OFFSETS.to; offset += 4) {
    if (content.readUInt32LE(offset) === crc32c(content.subarray(0, offset))) return offset;
  }
  throw new Error('the control file of the cluster has no valid checksum');
}

async function renewSegment(path: string, identifier: bigint): Promise<void> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(identifier);
  const file = await open(path, 'r+');
  try {
    await file.write(bytes, 0, bytes.length, OFFSET_IN_SEGMENT);
  } finally {
    await file.close();
  }
}

/** The polynomial of CRC-32C, reversed. */
const POLYNOMIAL = 0x82f63b78;

/** CRC-32C (Castagnoli), which Node.js does not have: its `zlib.crc32` uses another polynomial. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  }
  return ~crc >>> 0;
}
