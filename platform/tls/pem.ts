/** Reads certificates and keys in PEM. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A certificate with its private key, both in PEM. */
export interface ServerCertificate {
  /** May be followed by certificates of intermediate authorities. */
  cert: string;
  key: string;
}

/** Returns the first certificate of a text; undefined if it has none. */
export function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Returns the private key of a text; undefined if it has none, or an encrypted one. */
export function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
