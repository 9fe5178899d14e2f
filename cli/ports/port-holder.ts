/** Finds out who holds a port: another instance of Greenroom, or another program. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { InstanceEntry } from '@greenroom/instances';
import { findListener, isPortFree } from '@greenroom/ports';
import { readClusterOwner } from '@greenroom/postgres';

/** The holder of a port. */
export interface PortHolder {
  isInstance: boolean;
  /** For messages, e.g. `node (pid 4711)`. */
  description: string;
}

const HEALTH_TIMEOUT_MS = 2000;
const ALL_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];
const LOOPBACK = '127.0.0.1';
/** The first line of the SMTP and POP3 servers of a mailbox. */
const GREETING = /^(?:220|\+OK) .*\bGreenroom\r\n/;

/**
 * Returns the holder of a port; undefined if the port is free.
 * @param others the other running instances of the registry
 */
export async function findPortHolder(
  { host, port }: { host: string; port: number },
  others: readonly InstanceEntry[],
): Promise<PortHolder | undefined> {
  const registered = others.find((entry) => holds(entry, host, port));
  if (registered) return { isInstance: true, description: describeInstance(registered) };
  if (await isPortFree(host, port)) return undefined;
  const listener = await findListener(port);
  const owner = listener?.workingDirectory && (await readClusterOwner(listener.workingDirectory));
  const isInstance =
    Boolean(owner) || (await respondsLikeInstance(host, port)) || (await greetsLikeInstance(host, port));
  const program = listener === undefined ? 'another process' : `${listener.command} (pid ${listener.pid})`;
  if (!isInstance) return { isInstance, description: program };
  return { isInstance, description: `a Greenroom instance${owner ? ` on ${owner}` : ''}, ${program}` };
}

/** Returns the ports of an instance. */
export function portsOf({ port, databasePort, mailboxPorts = [] }: InstanceEntry): number[] {
  return [port, databasePort, ...mailboxPorts].filter((each) => each !== undefined);
}

/** Whether an instance listens, or is about to listen, on a port at an address that includes `host`. */
function holds(entry: InstanceEntry, host: string, port: number): boolean {
  const overlaps = (address: string) =>
    address === host || [address, host].some((each) => ALL_ADDRESSES.includes(each));
  const { databasePort, mailboxPorts = [] } = entry;
  return (
    (entry.port === port && overlaps(entry.host)) ||
    ([databasePort, ...mailboxPorts].includes(port) && overlaps(LOOPBACK))
  );
}

function describeInstance({ project, dataFolder, pid }: InstanceEntry): string {
  return `the Greenroom instance of ${project?.folder ?? dataFolder} (pid ${pid})`;
}

/**
 * Whether the server at a port has the health response of Greenroom, e.g. that of another user. With HTTPS, the server
 * rejects the request with the code `https_required`.
 */
async function respondsLikeInstance(host: string, port: number): Promise<boolean> {
  const address = reachable(host);
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/health`;
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    const { status, version, parts, code } = (await response.json()) as Record<string, unknown>;
    if (response.status === 400 && code === 'https_required') return true;
    const states = Object.values(parts as Record<string, unknown>);
    const isState = (state: unknown) => state === 'ok' || state === 'unavailable';
    return typeof version === 'string' && isState(status) && states.length > 0 && states.every(isState);
  } catch {
    return false;
  }
}

/** Whether the server at a port greets like the SMTP or POP3 server of a local mailbox. */
async function greetsLikeInstance(host: string, port: number): Promise<boolean> {
  const socket = connect(port, reachable(host));
  // The timer alone would not keep the process alive when the server has closed the connection.
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]);
  try {
    const [data] = await once(socket, 'data', { signal });
    return GREETING.test(String(data));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** An address at which a server that listens on `host` can be reached. */
function reachable(host: string): string {
  return ALL_ADDRESSES.includes(host) ? LOOPBACK : host;
}
