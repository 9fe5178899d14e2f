/** Chooses a port for an instance, and decides whether a port that is held may be replaced. */
import type { InstanceEntry } from '@greenroom/instances';
import { choosePort } from '@greenroom/ports';
import { findPortHolder, type PortHolder, portsOf } from './port-holder.ts';
import type { PortRequest } from './port-request.ts';

/** The other ports of this machine that are in use or reserved. */
interface PortContext {
  /** The other running instances of the registry. */
  others: readonly InstanceEntry[];
  /** Ports that this instance needs for itself. */
  reserved: readonly number[];
}

/** A chosen port. */
export interface PortChoice {
  port: number;
  /** Set if the port replaces the preferred one. */
  holder: PortHolder | undefined;
}

/** A port is held, and no other may replace it. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';

  constructor({ port, host, name }: Pick<PortRequest, 'port' | 'host' | 'name'>, holder: PortHolder) {
    const remedy =
      name === 'PORT'
        ? 'Set PORT to another port, or to 0 for any free port.'
        : `Stop it, or set ${name} to another port.`;
    super(`port ${port} is already in use on ${host} by ${holder.description}. ${remedy}`);
  }
}

/** This user may not listen on a port. */
class PortForbiddenError extends Error {
  override readonly name = 'PortForbiddenError';

  constructor({ port, name }: Pick<PortRequest, 'port' | 'name'>) {
    super(
      `port ${port} needs a privilege that this user does not have. Grant it (systemd: ` +
        `AmbientCapabilities=CAP_NET_BIND_SERVICE), or set ${name} to a port from 1024 and forward port ${port} to it.`,
    );
  }
}

/**
 * Returns the requested port if it is free. If its holder is one to which the request yields, returns the next free port
 * that no instance has chosen; a remembered port yields to every holder, because no user has chosen it. Throws {@link
 * PortInUseError} and {@link PortForbiddenError}.
 */
export async function chooseInstancePort(request: PortRequest, context: PortContext): Promise<PortChoice> {
  const { host, port, configured } = request;
  const except = new Set([...context.others.flatMap(portsOf), ...context.reserved]);
  if (port === 0) return { port: await choosePort({ host, port, fixed: true, except }), holder: undefined };
  const holder = await findPortHolder({ host, port }, context.others).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EACCES' ? new PortForbiddenError(request) : error;
    },
  );
  if (holder === undefined) return { port, holder };
  if (port !== configured) {
    const { port: other } = await chooseInstancePort({ ...request, port: configured }, context);
    return { port: other, holder };
  }
  const yields = request.yieldsTo === 'all' || (request.yieldsTo === 'instances' && holder.isInstance);
  if (!yields) throw new PortInUseError(request, holder);
  return { port: await choosePort({ host, port: port + 1, fixed: false, except }), holder };
}
