/**
 * A self-signed certificate for a key (RFC 5280). SAML only uses certificates as containers of public keys, so
 * this one has minimal contents. It is identical at every start because identity providers store it.
 */
import { createPublicKey, type KeyObject, sign } from 'node:crypto';

/** ASN.1 tags (X.690). */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const NULL = 0x05;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const DNS_NAME = 0x82;

const SHA256_WITH_RSA = '2a864886f70d01010b';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';

/** Returns the certificate of an RSA key as PEM. @param host common name and only DNS name */
export function selfSignedCertificate(key: KeyObject, host: string): string {
  const algorithm = der(SEQUENCE, der(OBJECT_ID, Buffer.from(SHA256_WITH_RSA, 'hex')), der(NULL));
  const name = distinguishedName(host);
  const contents = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1)),
    algorithm,
    name,
    der(
      SEQUENCE,
      der(UTC_TIME, Buffer.from('700101000000Z')),
      der(GENERALIZED_TIME, Buffer.from('21700101000000Z')),
    ),
    name,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, alternativeName(host))),
  );
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', contents, key));
  return pem(der(SEQUENCE, contents, algorithm, signature));
}

function distinguishedName(host: string): Buffer {
  const value = der(UTF8_STRING, Buffer.from(host));
  return der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, Buffer.from(COMMON_NAME, 'hex')), value)));
}

function alternativeName(host: string): Buffer {
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from(host)));
  return der(SEQUENCE, der(OBJECT_ID, Buffer.from(SUBJECT_ALT_NAME, 'hex')), der(OCTET_STRING, names));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

/** X.690 §8.1.3: the length in one byte, or the number of length bytes followed by them. */
function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(0x80 | digits.length), digits]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
