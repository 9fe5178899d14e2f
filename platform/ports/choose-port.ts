/** Chooses a free TCP port. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Number of ports above the preferred one that are tried. */
const PORTS_TO_TRY = 100;

/**
 * The range of any free port. Linux assigns ports from 32,768 on to outgoing connections and to servers that accept any port, so
 * another process may take such a port before the server listens on it.
 */
const FIRST_ANY = 10_000;
const LAST_ANY = 30_000;

/** The preferred port. */
interface PortOptions {
  host: string;
  /** 0 means any free port. */
  port: number;
  /** If true, a taken port is an error and the next ones are not tried. */
  fixed: boolean;
  /** Ports that are not tried although they may be free. Default: none. */
  except?: ReadonlySet<number>;
}

/** Every allowed port is taken. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Returns a port that is free now: the preferred one, otherwise the next free one above it. Throws {@link
 * PortTakenError}.
 */
export async function choosePort({ host, port, fixed, except }: PortOptions): Promise<number> {
  if (port === 0) return chooseAnyPort(host, except);
  const last = fixed ? port : Math.min(port + PORTS_TO_TRY, 65_535);
  for (let candidate = port; candidate <= last; candidate++) {
    if (except?.has(candidate)) continue;
    const free = await tryPort(host, candidate);
    if (free !== undefined) return free;
  }
  const tried = last === port ? `port ${port} is` : `all ports from ${port} to ${last} are`;
  throw new PortTakenError(`${tried} already in use on ${host}`);
}

async function chooseAnyPort(host: string, except: ReadonlySet<number> | undefined): Promise<number> {
  for (let tries = 0; tries < PORTS_TO_TRY; tries++) {
    const candidate = randomInt(FIRST_ANY, LAST_ANY);
    if (!except?.has(candidate) && (await isPortFree(host, candidate))) return candidate;
  }
  throw new PortTakenError(
    `${PORTS_TO_TRY} ports from ${FIRST_ANY} to ${LAST_ANY} are already in use on ${host}`,
  );
}

/** Whether a port can be listened on now. Rejects for a host that cannot be listened on at all. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  return (await tryPort(host, port)) !== undefined;
}

/**
 * Returns the port if it can be listened on, undefined if it is taken. Other errors (a foreign address, no permission)
 * reject.
 */
function tryPort(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    probe.listen({ port, host, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
