/**
 * Connections to the embedded server by TCP: which addresses may connect, and whether with TLS. The server listens on
 * 127.0.0.1 only, whatever the rules say. Greenroom itself connects through the Unix socket, to which no rule applies.
 */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BlockList, isIPv4 } from 'node:net';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import { selfSignedCertificate } from '@greenroom/keys';
import type { RunAs } from './run-as.ts';

/** Rules of the server for connections by TCP. */
export interface NetworkAccess {
  /** `on` offers TLS, `required` rejects connections without it. */
  tls: 'off' | 'on' | 'required';
  /** Address ranges in CIDR notation that may connect; undefined for all. */
  ranges: readonly string[] | undefined;
}

/** The default: all programs on this machine may connect, without TLS. */
export const OPEN_ACCESS: NetworkAccess = { tls: 'off', ranges: undefined };

/** File of the rules, in the folder of the cluster, which includes that of PostgreSQL. */
const RULES_FILE = 'greenroom.hba.conf';
const CERTIFICATE_FILE = 'greenroom.crt';
const KEY_FILE = 'greenroom.key';

const HOST = 'localhost';
const ADDRESS = '127.0.0.1';

/** Options of {@link writeNetworkAccess}. */
interface AccessOptions {
  /** Folder of the cluster. */
  directory: string;
  access: NetworkAccess;
  hasSocket: boolean;
  runAs: RunAs | undefined;
}

/** The settings of a server with these rules. */
interface ServerAccess {
  /** File of the rules, in the folder of the cluster. */
  hbaFile: string | undefined;
  /** Parameters, which the user's own file may override, e.g. with another certificate. */
  parameters: Readonly<Record<string, string>>;
  /** Whether connections of Greenroom by TCP could be rejected. */
  needsSocket: boolean;
}

/**
 * Writes the rules and, for TLS, a key and its self-signed certificate unless they exist. Rejects if Greenroom could not
 * connect with these rules.
 */
export async function writeNetworkAccess(options: AccessOptions): Promise<ServerAccess> {
  const { directory, access, hasSocket, runAs } = options;
  const needsSocket = access.tls === 'required' || !acceptsLoopback(access);
  if (needsSocket && !hasSocket) {
    throw new Error(
      `${directory} cannot contain a Unix socket, which Greenroom needs if the database requires TLS or does not accept ${ADDRESS}. Use a data folder with a shorter path on another file system.`,
    );
  }
  if (access.tls !== 'off') await ensureCertificate(directory, runAs);
  const rules = accessRules(access);
  if (rules !== undefined) await writeFileAtomically(join(directory, RULES_FILE), rules, 0o600, runAs);
  return {
    hbaFile: rules === undefined ? undefined : RULES_FILE,
    parameters: access.tls === 'off' ? {} : TLS_PARAMETERS,
    needsSocket,
  };
}

/** Relative paths are relative to the cluster. */
const TLS_PARAMETERS = { ssl: 'on', ssl_cert_file: CERTIFICATE_FILE, ssl_key_file: KEY_FILE };

/** Whether programs on this machine may connect by TCP. IPv6 ranges do not decide it, also not those of mapped addresses. */
export function acceptsLoopback({ ranges }: Pick<NetworkAccess, 'ranges'>): boolean {
  if (ranges === undefined) return true;
  const allowed = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (isIPv4(address)) allowed.addSubnet(address, Number(bits), 'ipv4');
  }
  return allowed.check(ADDRESS, 'ipv4');
}

/**
 * Returns the rules as lines of pg_hba.conf, of which the first that matches decides; undefined if those of PostgreSQL are
 * enough. Without `replication`, lines do not match connections for physical replication.
 */
function accessRules({ tls, ranges }: NetworkAccess): string | undefined {
  const lines = [
    ...(tls === 'required' ? ['hostnossl all,replication all all reject'] : []),
    ...(ranges ?? []).map((range) => `host all,replication all ${range} scram-sha-256`),
    ...(ranges === undefined ? [] : ['host all,replication all all reject']),
  ];
  if (lines.length === 0) return undefined;
  return ['# Written at each start.', ...lines, 'include pg_hba.conf', ''].join('\n');
}

/** Returns a connection URL for clients of a server that requires TLS. */
export function withRequiredTls(url: string): string {
  const target = new URL(url);
  target.searchParams.set('sslmode', 'require');
  return target.href;
}

/** A crash may leave a key without its certificate; then both are replaced. */
async function ensureCertificate(directory: string, runAs: RunAs | undefined): Promise<void> {
  if (await hasCertificate(directory)) return;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFileAtomically(join(directory, KEY_FILE), key, 0o600, runAs);
  const certificate = selfSignedCertificate(privateKey, HOST, [ADDRESS]);
  await writeFileAtomically(join(directory, CERTIFICATE_FILE), certificate, 0o600, runAs);
}

async function hasCertificate(directory: string): Promise<boolean> {
  try {
    const [certificate, key] = await Promise.all(
      [CERTIFICATE_FILE, KEY_FILE].map((name) => readFile(join(directory, name), 'utf8')),
    );
    return new X509Certificate(certificate ?? '').checkPrivateKey(createPrivateKey(key ?? ''));
  } catch {
    return false;
  }
}
