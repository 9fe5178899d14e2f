/** Verifies checksums of content that S3 headers and trailers declare. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { failure } from '../../errors.ts';
import { Crc64Nvme, crc32c } from './crc.ts';

/** An incremental digest. */
interface Digest {
  update(data: Uint8Array): void;
  digest(): Buffer;
}

const PREFIX = 'x-amz-checksum-';
/** Keyed by the suffix of the header name. */
const DIGESTS: ReadonlyMap<string, () => Digest> = new Map([
  ['crc32', () => running32(crc32)],
  ['crc32c', () => running32(crc32c)],
  ['crc64nvme', () => new Crc64Nvme()],
  ['sha1', () => hash('sha1')],
  ['sha256', () => hash('sha256')],
]);
/** Headers with the same prefix that are not checksums. */
const NO_CHECKSUMS = new Set([`${PREFIX}mode`, `${PREFIX}algorithm`, `${PREFIX}type`]);

/** A checksum that is computed incrementally and compared at the end. */
export interface Checksum {
  /** Name of the header or trailer that has the expected value. */
  name: string;
  update(data: Uint8Array): void;
  /** Throws InvalidChecksum if it differs from `expected`: base64, or hexadecimal for a payload hash. */
  require(expected: string): void;
}

/** Creates a checksum. Throws InvalidRequest for an unknown algorithm. */
export function createChecksum(header: string): Checksum {
  const create = DIGESTS.get(header.slice(PREFIX.length));
  if (!header.startsWith(PREFIX) || create === undefined) {
    const known = [...DIGESTS.keys()].join(', ');
    throw failure('InvalidRequest', {
      message: `${header} is not a supported checksum; supported: ${known}`,
    });
  }
  return checksum(header, create(), 'base64');
}

/** A checksum with its expected value. */
export interface ExpectedChecksum {
  checksum: Checksum;
  expected: string;
}

/** Creates the checksums that request headers declare: Content-MD5, checksums of S3, and the signed payload hash. */
export function declaredChecksums(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  payloadHash: string,
): ExpectedChecksum[] {
  const found: ExpectedChecksum[] = Object.entries(headers).flatMap(([name, values]) =>
    isChecksum(name) && values?.[0] !== undefined
      ? [{ checksum: createChecksum(name), expected: values[0] }]
      : [],
  );
  const md5 = headers['content-md5']?.[0];
  if (md5 !== undefined)
    found.push({ checksum: checksum('content-md5', hash('md5'), 'base64'), expected: md5 });
  if (/^[0-9a-f]{64}$/i.test(payloadHash)) {
    const name = 'x-amz-content-sha256';
    found.push({ checksum: checksum(name, hash('sha256'), 'hex'), expected: payloadHash.toLowerCase() });
  }
  return found;
}

function isChecksum(name: string): boolean {
  return name.startsWith(PREFIX) && !NO_CHECKSUMS.has(name);
}

function checksum(name: string, digest: Digest, encoding: 'base64' | 'hex'): Checksum {
  return {
    name,
    update: (data) => digest.update(data),
    require(expected) {
      const found = digest.digest().toString(encoding);
      if (found === expected.trim()) return;
      throw failure('InvalidChecksum', {
        message: `${name} is ${expected}, but the checksum of the content is ${found}`,
      });
    },
  };
}

function running32(next: (data: Uint8Array, before: number) => number): Digest {
  let value = 0;
  return {
    update(data) {
      value = next(data, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value >>> 0);
      return bytes;
    },
  };
}

function hash(algorithm: string): Digest {
  const running = createHash(algorithm);
  return { update: (data) => void running.update(data), digest: () => running.digest() };
}
