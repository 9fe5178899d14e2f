/** Creates a self-signed certificate (RFC 5280) for servers on this machine. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type { ServerCertificate } from './pem.ts';

const COMMON_NAME = '2.5.4.3';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const SERIAL_BYTES = 16;
const PEM_LINE = /.{1,64}/g;

/** Options of {@link createSelfSigned}. */
interface SelfSignedOptions {
  /** Common name of subject and issuer. */
  name: string;
  hosts: readonly string[];
  addresses: readonly string[];
  validFrom: Date;
  validTo: Date;
}

/**
 * Creates an ECDSA key (P-256) and its certificate. The certificate is no authority: it cannot sign others, so clients
 * that trust it trust this server only.
 */
export function createSelfSigned(options: SelfSignedOptions): ServerCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = toBeSigned(options, publicKey);
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(content)), privateKey);
  const certificate = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: content.signature,
    signatureValue: toArrayBuffer(signature),
  });
  return {
    cert: toPem('CERTIFICATE', Buffer.from(AsnConvert.serialize(certificate))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function toBeSigned(options: SelfSignedOptions, publicKey: KeyObject): TBSCertificate {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = nameOf(options.name);
  return new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 }),
    issuer: name,
    validity: new Validity({ notBefore: options.validFrom, notAfter: options.validTo }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, alternativeNames(options)),
    ]),
  });
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

function alternativeNames({ hosts, addresses }: SelfSignedOptions): SubjectAlternativeName {
  return new SubjectAlternativeName([
    ...hosts.map((dNSName) => new GeneralName({ dNSName })),
    ...addresses.map((iPAddress) => new GeneralName({ iPAddress })),
  ]);
}

function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** A positive integer: its first bit is 0, and its first byte is not 0 (DER). */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return toArrayBuffer(bytes);
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(PEM_LINE) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
