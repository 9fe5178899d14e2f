/** Entries of GREENROOM_NET_ALLOWED_HOSTS: hosts that requests may reach although their addresses are not public. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** A name or an address, with any port if it names none, or a range of addresses. */
export type AllowedHost =
  | { kind: 'host'; host: string; port: number | undefined }
  | { kind: 'range'; address: string; bits: number; family: 'ipv4' | 'ipv6' };

const RANGE = /^([0-9a-f.:]+)\/(\d{1,3})$/i;
const BRACKETED = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i;
const NAMED = /^([a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?)(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;
/** Names of the machine of a container, as Docker resolves them. */
const DOCKER_NAMES = new Set(['host.docker.internal', 'gateway.docker.internal']);
const LOOPBACK_EDGES = ['127.0.0.0', '127.255.255.255'];

/**
 * Parses an entry. Undefined means that it is not allowed: not a host or a range, all addresses, or this machine without a
 * port, which would open the database and the mailbox of the instance.
 */
export function parseAllowedHost(text: string): AllowedHost | undefined {
  const range = RANGE.exec(text);
  if (range !== null) return parseRange(range[1] ?? '', Number(range[2]));
  if (isIP(text) === 6) return hostOf(text, undefined);
  const [, host, port] = BRACKETED.exec(text) ?? NAMED.exec(text) ?? [];
  return host === undefined ? undefined : hostOf(host.toLowerCase(), port);
}

function hostOf(host: string, digits: string | undefined): AllowedHost | undefined {
  const port = digits === undefined ? undefined : Number(digits);
  if (port === undefined ? isLoopbackHost(host) : port < 1 || port > MAX_PORT) return undefined;
  return { kind: 'host', host, port };
}

function parseRange(address: string, bits: number): AllowedHost | undefined {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (isIP(address) === 0 || bits < 1 || bits > (family === 'ipv4' ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  const hasLoopback =
    family === 'ipv4'
      ? address.startsWith('127.') || LOOPBACK_EDGES.some((edge) => list.check(edge))
      : list.check('::1', 'ipv6') || list.check('::ffff:127.0.0.1', 'ipv6');
  return hasLoopback ? undefined : { kind: 'range', address, bits, family };
}

/** Whether a host, without brackets, is this machine, also by the names that Docker gives it. */
export function isLoopbackHost(host: string): boolean {
  return (
    /^127\./.test(host) ||
    host === '::1' ||
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    isDockerHost(host)
  );
}

/** Whether a name is that of this machine in containers of Docker. Other programs cannot resolve it. */
export function isDockerHost(host: string): boolean {
  return DOCKER_NAMES.has(host);
}
