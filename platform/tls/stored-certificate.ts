/** The self-signed certificate of an instance, in its data folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDataFolder, writeFileAtomically } from '@greenroom/data-folder';
import { parseCertificate, parsePrivateKey, type ServerCertificate } from './pem.ts';

/** Names of the files in the data folder. */
export const SELF_SIGNED_FILES = { cert: 'tls-certificate.pem', key: 'tls-key.pem' } as const;

const DAY_MS = 86_400_000;
/** The maximum that Apple's systems accept of certificates that users trust. */
const VALID_DAYS = 825;
/** A certificate with a shorter remaining time is replaced. */
const RENEWAL_DAYS = 30;
/** Clocks of clients on other machines may be slow. */
const CLOCK_TOLERANCE_MS = DAY_MS;

/** Where a certificate is, and whose files these are. */
interface Storage {
  /** Names of the files in the folder. */
  files?: { cert: string; key: string };
  /** Default: the user of this process. */
  owner?: { uid: number; gid: number } | undefined;
}

/**
 * Returns the certificate in a folder for localhost and the loopback addresses. Creates it if none exists, and
 * replaces one that expires soon.
 */
export async function loadOrCreateSelfSigned(
  folder: string,
  now: Date,
  { files = SELF_SIGNED_FILES, owner }: Storage = {},
): Promise<ServerCertificate> {
  const stored = await readStored(folder, files);
  if (stored !== undefined && isUsable(stored, now)) return stored;
  // Loaded only here, because most starts find a certificate.
  const { createSelfSigned } = await import('./self-signed.ts');
  const created = createSelfSigned({
    name: 'localhost (Greenroom)',
    hosts: ['localhost'],
    addresses: ['127.0.0.1', '::1'],
    validFrom: new Date(now.getTime() - CLOCK_TOLERANCE_MS),
    validTo: new Date(now.getTime() - CLOCK_TOLERANCE_MS + VALID_DAYS * DAY_MS),
  });
  await ensureDataFolder(folder);
  await writeFileAtomically(join(folder, files.key), created.key, 0o600, owner);
  await writeFileAtomically(join(folder, files.cert), created.cert, 0o600, owner);
  return created;
}

async function readStored(
  folder: string,
  files: Required<Storage>['files'],
): Promise<ServerCertificate | undefined> {
  try {
    const [cert, key] = await Promise.all(
      [files.cert, files.key].map((name) => readFile(join(folder, name), 'utf8')),
    );
    return cert === undefined || key === undefined ? undefined : { cert, key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** After a crash between the two writes, the key does not fit the certificate. */
function isUsable({ cert, key }: ServerCertificate, now: Date): boolean {
  const certificate = parseCertificate(cert);
  const privateKey = parsePrivateKey(key);
  if (certificate === undefined || privateKey === undefined) return false;
  const expiresSoon = certificate.validToDate.getTime() - now.getTime() < RENEWAL_DAYS * DAY_MS;
  return !expiresSoon && certificate.checkPrivateKey(privateKey);
}
