/** Loads the certificate of a server from its configuration. */
import { resolve } from 'node:path';
import {
  type AutomaticHttps,
  automaticHttpsTree,
  ConfigError,
  type InstanceConfig,
  tlsTree,
} from '@greenroom/config';
import { readAuthorities } from './authorities.ts';
import { readCertificateFiles } from './certificate-files.ts';
import { readObtained } from './obtained-certificate.ts';
import type { ServerCertificate } from './pem.ts';
import { loadOrCreateSelfSigned, SELF_SIGNED_FILES } from './stored-certificate.ts';

export { SELF_SIGNED_FILES, type ServerCertificate };

/** Options of {@link readServerCertificate}. */
interface CertificateOptions {
  /** Whether the server uses its data folder, which keeps a self-signed certificate. */
  hasDataFolder: boolean;
}

/**
 * Reads the configured files, or the certificate that an authority has issued, or loads or creates the self-signed
 * certificate; undefined without HTTPS. Throws ConfigError for files that cannot be used.
 */
export async function readServerCertificate(
  { tls, dataDirectory }: Pick<InstanceConfig, 'tls' | 'dataDirectory'>,
  { hasDataFolder }: CertificateOptions,
): Promise<ServerCertificate | undefined> {
  if (tls === undefined) return undefined;
  if (tls.kind === 'files') return readCertificateFiles(tls, new Date());
  if (tls.kind === 'obtained') {
    if (!hasDataFolder) throw withoutDataFolder(tls);
    // Only orders use the content, but a wrong file must stop the start.
    await readAuthorities(tls);
    const obtained = await readObtained(dataDirectory, tls, new Date());
    if (obtained !== undefined) return obtained;
  }
  if (hasDataFolder) return loadOrCreateSelfSigned(resolve(dataDirectory), new Date());
  const { name, allowed } = tlsTree.certificateFile;
  const reason = `${tlsTree.isEnabled.name} is true, and no data folder keeps a self-signed certificate`;
  throw new ConfigError([{ name, value: '', allowed: `${allowed} (${reason})` }]);
}

function withoutDataFolder({ domains }: AutomaticHttps): ConfigError {
  const allowed = 'unset (no data folder keeps the certificate)';
  return new ConfigError([{ name: automaticHttpsTree.domains.name, value: domains.join(), allowed }]);
}
