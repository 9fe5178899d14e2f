/** The certificate of a running server with HTTPS, which a reload replaces. */
import type { InstanceConfig } from '@greenroom/config';
import { replaceCertificate } from '@greenroom/http';
import type { PreparedSettings } from '@greenroom/service';
import { readServerCertificate, type ServerCertificate } from '@greenroom/tls';
import type { FastifyInstance } from 'fastify';

/** The settings of a certificate. */
type CertificateConfig = Pick<InstanceConfig, 'tls' | 'dataDirectory'>;

/** A certificate in use. */
export interface OwnCertificate {
  current(): ServerCertificate;
  /**
   * Reads the certificate again, unless an authority issues it. Applying it changes new connections only. Rejects with
   * `ConfigError` for a file that cannot be used.
   */
  prepare(config: CertificateConfig, server: FastifyInstance): Promise<PreparedSettings>;
  /** Uses another certificate for new connections. */
  replace(certificate: ServerCertificate, server: FastifyInstance): void;
}

/** Reads the certificate of a server; undefined without HTTPS. Throws ConfigError. */
export async function openOwnCertificate(
  config: CertificateConfig,
  options: Parameters<typeof readServerCertificate>[1],
): Promise<OwnCertificate | undefined> {
  const initial = await readServerCertificate(config, options);
  if (initial === undefined) return undefined;
  let current = initial;
  const replace: OwnCertificate['replace'] = (certificate, server) => {
    current = certificate;
    replaceCertificate(server, certificate);
  };
  return {
    current: () => current,
    replace,
    async prepare(next, server) {
      // Only orders change it, and the one in use could not be stored if the disk is full.
      if (next.tls?.kind === 'obtained') return { apply: () => undefined };
      const read = (await readServerCertificate(next, options)) ?? current;
      return { apply: () => replace(read, server) };
    },
  };
}
