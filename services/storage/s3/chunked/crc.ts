/** The cyclic redundancy checks of S3 that Node.js has not: CRC-32C and CRC-64/NVME, both reflected. */

/** Of CRC-32C (RFC 3720 §12.1), reflected. */
const CASTAGNOLI = 0x82f63b78;
/** Of CRC-64/NVME, reflected: its upper and its lower half. */
const NVME = { high: 0x9a6c9329, low: 0xac4bc9b5 };

const TABLE_32C = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ CASTAGNOLI : rest >>> 1;
  return rest;
});

const HIGH_64 = new Uint32Array(256);
const LOW_64 = new Uint32Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit += 1) {
    const isOdd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) {
      high ^= NVME.high;
      low ^= NVME.low;
    }
  }
  HIGH_64[byte] = high;
  LOW_64[byte] = low;
}

/** Goes on with a CRC-32C. Begin with 0. */
export function crc32c(data: Uint8Array, before = 0): number {
  let rest = ~before;
  for (const byte of data) rest = (rest >>> 8) ^ (TABLE_32C[(rest ^ byte) & 0xff] as number);
  return ~rest >>> 0;
}

/** A CRC-64/NVME in two halves, since numbers of JavaScript have too few bits, and big ones are slow. */
export class Crc64Nvme {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(data: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    for (const byte of data) {
      const index = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (LOW_64[index] as number);
      high = (high >>> 8) ^ (HIGH_64[index] as number);
    }
    this.#high = high;
    this.#low = low;
  }

  /** Eight bytes, the highest first. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(~this.#high >>> 0, 0);
    bytes.writeUInt32BE(~this.#low >>> 0, 4);
    return bytes;
  }
}
