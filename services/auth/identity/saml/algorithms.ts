/** Accepted algorithms for signatures and encryption (XML Signature, XML Encryption 1.1). */
import { attributeOf, childrenOf, descendantsOf, XmlError } from './xml.ts';

/** SHA-1 is not accepted because of collisions: an attacker can create two documents with the same signature. */
const SIGNATURES = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);
const DIGESTS = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);
/** RSA with PKCS#1 v1.5 is not accepted because of padding oracle attacks. */
const CIPHERS = new Set([
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
]);

/** Checks the algorithms of all signatures in a document. Throws {@link XmlError}. */
export function requireSafeSignatures(root: Element): void {
  requireAlgorithms(descendantsOf(root, 'signature', 'SignatureMethod'), SIGNATURES);
  const references = descendantsOf(root, 'signature', 'Reference');
  requireAlgorithms(
    references.flatMap((reference) => childrenOf(reference, 'signature', 'DigestMethod')),
    DIGESTS,
  );
}

/** Checks the algorithms of all encrypted elements in a document. Throws {@link XmlError}. */
export function requireSafeCiphers(root: Element): void {
  requireAlgorithms(descendantsOf(root, 'encryption', 'EncryptionMethod'), CIPHERS);
}

function requireAlgorithms(methods: readonly Element[], allowed: ReadonlySet<string>): void {
  const used = methods.map((method) => attributeOf(method, 'Algorithm') ?? '');
  if (used.every((algorithm) => allowed.has(algorithm))) return;
  throw new XmlError('it uses an insecure algorithm');
}
