/** Certificates for tests. */
import type { ServerCertificate } from '../pem.ts';
import { createSelfSigned } from '../self-signed.ts';

const HOUR_MS = 3_600_000;

/** Options of {@link createTestCertificate}. */
interface TestCertificateOptions {
  hosts?: readonly string[];
  addresses?: readonly string[];
  /** Negative: it has expired. Default: an hour. */
  validMs?: number;
}

/** Creates a self-signed certificate, for 127.0.0.1 unless other names are given. */
export function createTestCertificate({
  hosts = ['localhost'],
  addresses = ['127.0.0.1'],
  validMs = HOUR_MS,
}: TestCertificateOptions = {}): ServerCertificate {
  const now = Date.now();
  const validity = { validFrom: new Date(now - 2 * HOUR_MS), validTo: new Date(now + validMs) };
  return createSelfSigned({ name: 'test', hosts, addresses, ...validity });
}
