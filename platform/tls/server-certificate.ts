/** Loads the certificate of a server from its configuration. */
import { resolve } from 'node:path';
import { ConfigError, type InstanceConfig, tlsTree } from '@greenroom/config';
import { readCertificateFiles } from './certificate-files.ts';
import type { ServerCertificate } from './pem.ts';
import { loadOrCreateSelfSigned, SELF_SIGNED_FILES } from './stored-certificate.ts';

export { SELF_SIGNED_FILES, type ServerCertificate };

/** Options of {@link readServerCertificate}. */
interface CertificateOptions {
  /** Whether the server uses its data folder, which keeps a self-signed certificate. */
  hasDataFolder: boolean;
}

/**
 * Reads the configured files, or loads or creates the self-signed certificate; undefined without HTTPS. Throws ConfigError
 * for files that cannot be used.
 */
export async function readServerCertificate(
  { tls, dataDirectory }: Pick<InstanceConfig, 'tls' | 'dataDirectory'>,
  { hasDataFolder }: CertificateOptions,
): Promise<ServerCertificate | undefined> {
  if (tls === undefined) return undefined;
  if (tls.kind === 'files') return readCertificateFiles(tls, new Date());
  if (hasDataFolder) return loadOrCreateSelfSigned(resolve(dataDirectory), new Date());
  const { name, allowed } = tlsTree.certificateFile;
  const reason = `${tlsTree.isEnabled.name} is true, and no data folder keeps a self-signed certificate`;
  throw new ConfigError([{ name, value: '', allowed: `${allowed} (${reason})` }]);
}
