/** The port of a service that runs alone, which nothing replaces. */
import type { Config } from '@greenroom/server/settings';
import { chooseInstancePort } from './choose-instance-port.ts';

/** Returns the configured port, or a free one if it is 0. Throws `PortInUseError` if the port is taken. */
export async function requireFreePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  const request = {
    setting: 'PORT',
    name: 'PORT',
    host,
    port,
    configured: port,
    configuredText: String(port),
    yieldsTo: 'none' as const,
  };
  return (await chooseInstancePort(request, { others: [], reserved: [] })).port;
}
