/** Choosing TCP ports. */
import { createServer } from 'node:net';

/** How many ports above the wanted one are tried. */
const PORTS_TO_TRY = 100;

/** What is wanted of a port. */
interface PortWish {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** Where true, a taken port is an error and the next ones are not tried. */
  fixed: boolean;
}

/** Every port that was allowed is taken. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** A port that is free now: the wanted one, else the next free one above it. Throws {@link PortTakenError}. */
export async function choosePort({ host, port, fixed }: PortWish): Promise<number> {
  const last = fixed || port === 0 ? port : Math.min(port + PORTS_TO_TRY, 65_535);
  for (let candidate = port; candidate <= last; candidate++) {
    const free = await tryPort(host, candidate);
    if (free !== undefined) return free;
  }
  const tried = last === port ? `port ${port} is` : `all ports from ${port} to ${last} are`;
  throw new PortTakenError(`${tried} taken on ${host}`);
}

/** The port, if it can be listened on. Other errors than a taken port (a foreign address, no permission) are thrown. */
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
