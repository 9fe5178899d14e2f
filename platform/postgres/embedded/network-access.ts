/**
 * Connections to the embedded server by TCP: which addresses may connect, and whether with TLS. The server listens on
 * 127.0.0.1 only, whatever the rules say. Greenroom itself connects through the Unix socket, to which no rule applies.
 */
import { BlockList, isIPv4 } from 'node:net';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
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
const CERTIFICATE_FILES = { cert: 'greenroom.crt', key: 'greenroom.key' };

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
  if (access.tls !== 'off') {
    // Loaded only here, because most instances need no certificate.
    const { loadOrCreateSelfSigned } = await import('@greenroom/tls');
    await loadOrCreateSelfSigned(directory, new Date(), { files: CERTIFICATE_FILES, owner: runAs });
  }
  const rules = accessRules(access);
  if (rules !== undefined) await writeFileAtomically(join(directory, RULES_FILE), rules, 0o600, runAs);
  return {
    hbaFile: rules === undefined ? undefined : RULES_FILE,
    parameters: access.tls === 'off' ? {} : TLS_PARAMETERS,
    needsSocket,
  };
}

/** Relative paths are relative to the cluster. */
const TLS_PARAMETERS = {
  ssl: 'on',
  ssl_cert_file: CERTIFICATE_FILES.cert,
  ssl_key_file: CERTIFICATE_FILES.key,
};

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
