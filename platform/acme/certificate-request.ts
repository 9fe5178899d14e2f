/** Creates certificate signing requests (PKCS #10, RFC 2986). */
import { type KeyObject, sign } from 'node:crypto';
import { Attributes, CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  Attribute,
  Extension,
  Extensions,
  GeneralName,
  id_ce_subjectAltName,
  Name,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** A key pair on the curve P-256. */
interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/**
 * Returns the request for a certificate of these names in DER. Its subject is empty, because clients read the alternative
 * names only.
 */
export function createCertificateRequest(
  domains: readonly string[],
  { publicKey, privateKey }: KeyPair,
): Buffer {
  const content = AsnConvert.serialize(contentOf(domains, publicKey));
  const request = new CertificationRequest({
    certificationRequestInfo: AsnConvert.parse(content, CertificationRequestInfo),
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 }),
    signature: toArrayBuffer(sign('sha256', Buffer.from(content), privateKey)),
  });
  return Buffer.from(AsnConvert.serialize(request));
}

function contentOf(domains: readonly string[], publicKey: KeyObject): CertificationRequestInfo {
  const names = new SubjectAlternativeName(domains.map((dNSName) => new GeneralName({ dNSName })));
  const extension = new Extension({
    extnID: id_ce_subjectAltName,
    extnValue: new OctetString(AsnConvert.serialize(names)),
  });
  const values = [AsnConvert.serialize(new Extensions([extension]))];
  return new CertificationRequestInfo({
    subject: new Name(),
    subjectPKInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    attributes: new Attributes([new Attribute({ type: EXTENSION_REQUEST, values })]),
  });
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
