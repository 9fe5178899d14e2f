/**
 * The cyclic redundancy checks of S3 that Node.js lacks: CRC-32C and CRC-64/NVME, both reflected. Eight bytes are
 * processed per step ("slicing by 8": Kounavis and Berry, 2005) with tables of each byte's contribution by its
 * position.
 */

/** Polynomial of CRC-32C (RFC 3720 §12.1), reflected. */
const CASTAGNOLI = 0x82f63b78;
/** Polynomial of CRC-64/NVME, reflected: upper and lower half. */
const NVME = { high: 0x9a6c9329, low: 0xac4bc9b5 };
const SLICES = 8;
const BYTES = 256;

/** Consecutive tables: the first for a byte alone, the next for a byte followed by one zero byte, and so on. */
const TABLE_32C = new Uint32Array(SLICES * BYTES);
/** Tables of CRC-64/NVME: upper and lower halves. */
const HIGH_64 = new Uint32Array(SLICES * BYTES);
const LOW_64 = new Uint32Array(SLICES * BYTES);

for (let byte = 0; byte < BYTES; byte += 1) {
  let rest = byte;
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit += 1) {
    rest = rest & 1 ? (rest >>> 1) ^ CASTAGNOLI : rest >>> 1;
    const isOdd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) {
      high ^= NVME.high;
      low ^= NVME.low;
    }
  }
  TABLE_32C[byte] = rest;
  HIGH_64[byte] = high;
  LOW_64[byte] = low;
}
for (let offset = BYTES; offset < SLICES * BYTES; offset += 1) {
  const rest = at(TABLE_32C, offset - BYTES);
  TABLE_32C[offset] = (rest >>> 8) ^ at(TABLE_32C, rest & 0xff);
  const [high, low] = [at(HIGH_64, offset - BYTES), at(LOW_64, offset - BYTES)];
  HIGH_64[offset] = (high >>> 8) ^ at(HIGH_64, low & 0xff);
  LOW_64[offset] = ((low >>> 8) | (high << 24)) ^ at(LOW_64, low & 0xff);
}

/** Continues a CRC-32C. `before` is the previous result, 0 at the start. */
export function crc32c(data: Uint8Array, before = 0): number {
  let rest = ~before;
  let offset = 0;
  for (; offset + SLICES <= data.length; offset += SLICES) {
    rest = slice(TABLE_32C, rest ^ wordAt(data, offset), wordAt(data, offset + 4));
  }
  for (; offset < data.length; offset += 1)
    rest = (rest >>> 8) ^ at(TABLE_32C, (rest ^ byteAt(data, offset)) & 0xff);
  return ~rest >>> 0;
}

/** Computes CRC-64/NVME in two halves, since JavaScript numbers have too few bits and BigInt is slow. */
export class Crc64Nvme {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(data: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    let offset = 0;
    for (; offset + SLICES <= data.length; offset += SLICES) {
      const first = low ^ wordAt(data, offset);
      const second = high ^ wordAt(data, offset + 4);
      high = slice(HIGH_64, first, second);
      low = slice(LOW_64, first, second);
    }
    for (; offset < data.length; offset += 1) {
      const index = (low ^ byteAt(data, offset)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ at(LOW_64, index);
      high = (high >>> 8) ^ at(HIGH_64, index);
    }
    this.#high = high;
    this.#low = low;
  }

  /** Returns eight bytes, most significant first. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(~this.#high >>> 0, 0);
    bytes.writeUInt32BE(~this.#low >>> 0, 4);
    return bytes;
  }
}

/** Combines the contributions of eight bytes. `first` has the first four in little-endian order. */
function slice(table: Uint32Array, first: number, second: number): number {
  return (
    at(table, 0x700 | (first & 0xff)) ^
    at(table, 0x600 | ((first >>> 8) & 0xff)) ^
    at(table, 0x500 | ((first >>> 16) & 0xff)) ^
    at(table, 0x400 | (first >>> 24)) ^
    at(table, 0x300 | (second & 0xff)) ^
    at(table, 0x200 | ((second >>> 8) & 0xff)) ^
    at(table, 0x100 | ((second >>> 16) & 0xff)) ^
    at(table, second >>> 24)
  );
}

function wordAt(data: Uint8Array, offset: number): number {
  return (
    byteAt(data, offset) |
    (byteAt(data, offset + 1) << 8) |
    (byteAt(data, offset + 2) << 16) |
    (byteAt(data, offset + 3) << 24)
  );
}

/** Reads within bounds, so the cast is safe. Separate functions for tables and data are faster. */
function at(table: Uint32Array, offset: number): number {
  return table[offset] as number;
}

function byteAt(data: Uint8Array, offset: number): number {
  return data[offset] as number;
}
