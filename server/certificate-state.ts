/** Reports the certificate of a server with HTTPS, in `/health` and in `/metrics`. */
import type { Metrics } from '@greenroom/http';
import { parseCertificate, type ServerCertificate } from '@greenroom/tls';
import { Gauge } from 'prom-client';

/** The certificate in use, as reported by `/health`. */
export interface CertificateState {
  /** End of its validity, in ISO 8601. */
  expires: string;
  /** Whether it is self-signed, e.g. until the first one of an authority arrives. */
  selfSigned: boolean;
}

/** Returns the state of a certificate. */
export function certificateState({ cert }: ServerCertificate): CertificateState | undefined {
  const certificate = parseCertificate(cert);
  if (certificate === undefined) return undefined;
  const selfSigned = certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey);
  return { expires: certificate.validToDate.toISOString(), selfSigned };
}

/** Adds the metric of the end of its validity. */
export function observeCertificate({ registry }: Metrics, current: () => ServerCertificate): void {
  new Gauge({
    name: 'greenroom_certificate_expiry_timestamp_seconds',
    help: 'End of the validity of the certificate of the server, in seconds since 1970',
    registers: [registry],
    collect() {
      const end = parseCertificate(current().cert)?.validToDate.getTime();
      if (end !== undefined) this.set(end / 1000);
    },
  });
}
