import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChecksum, declaredChecksums } from './checksum.ts';

const DIGITS = Buffer.from('123456789');

/** Check values of https://reveng.sourceforge.io/crc-catalogue and of RFC 3174, FIPS 180-4. */
const KNOWN: readonly [name: string, expected: string][] = [
  ['x-amz-checksum-crc32', Buffer.from('cbf43926', 'hex').toString('base64')],
  ['x-amz-checksum-crc32c', Buffer.from('e3069283', 'hex').toString('base64')],
  ['x-amz-checksum-crc64nvme', Buffer.from('ae8b14860a799888', 'hex').toString('base64')],
  ['x-amz-checksum-sha1', '98O8HYCOBHMq32eZZczDTKeuNEE='],
  ['x-amz-checksum-sha256', 'FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU='],
];

describe.each(KNOWN)('%s', (name, expected) => {
  it('matches the check value of the catalogue', () => {
    const checksum = createChecksum(name);
    checksum.update(DIGITS);
    expect(() => checksum.require(expected)).not.toThrow();
  });

  it('does not depend on the chunks of the content', () => {
    fc.assert(
      fc.property(fc.nat({ max: DIGITS.length }), (at) => {
        const checksum = createChecksum(name);
        checksum.update(DIGITS.subarray(0, at));
        checksum.update(DIGITS.subarray(at));
        checksum.require(expected);
      }),
    );
  });

  it('is equal when computed byte by byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (data) => {
        const [whole, slow] = [createChecksum(name), createChecksum(name)];
        whole.update(data);
        for (const byte of data) slow.update(Uint8Array.of(byte));
        const digestOf = (checksum: typeof whole) => {
          try {
            checksum.require('');
          } catch (error) {
            return String(error);
          }
        };
        expect(digestOf(whole)).toBe(digestOf(slow));
      }),
    );
  });

  it('differs for other content', () => {
    const checksum = createChecksum(name);
    checksum.update(Buffer.from('12345678'));
    expect(() => checksum.require(expected)).toThrow(expect.objectContaining({ code: 'InvalidChecksum' }));
  });
});

it('rejects an unknown checksum and lists the known ones', () => {
  for (const name of ['x-amz-checksum-adler', 'x-amz-meta-crc32', 'x-amz-checksum-__proto__']) {
    expect(() => createChecksum(name)).toThrow(CatalogueError);
  }
  expect(() => createChecksum('x-amz-checksum-adler')).toThrow(/crc32, crc32c, crc64nvme, sha1, sha256/);
});

it('reads MD5, checksums and the signed hash from headers, and nothing else', () => {
  const headers = {
    'content-md5': ['JfnnlDI7RTiF9RgfG2JNCw=='],
    'x-amz-checksum-crc32': ['y/Q5Jg=='],
    'x-amz-checksum-mode': ['ENABLED'],
    'x-amz-checksum-algorithm': ['CRC32'],
    'x-amz-sdk-checksum-algorithm': ['CRC32'],
  };
  const hash = '15E2B0D3C33891EBB0F1EF609EC419420C20E320CE94C65FBC8C3312448EB225';
  const found = declaredChecksums(headers, hash);
  expect(found.map(({ checksum }) => checksum.name)).toEqual([
    'x-amz-checksum-crc32',
    'content-md5',
    'x-amz-content-sha256',
  ]);
  for (const { checksum, expected } of found) {
    checksum.update(DIGITS);
    checksum.require(expected);
  }
  expect(declaredChecksums({}, 'UNSIGNED-PAYLOAD')).toEqual([]);
});
