/** Ports that nothing replaces. */
import type { Config } from '@greenroom/server/settings';
import { chooseInstancePort } from './choose-instance-port.ts';
import type { PortRequest } from './port-request.ts';

type Address = Pick<Config, 'host' | 'port'>;

/** Returns the request for a port of a setting that nothing replaces. */
export function fixedPort(setting: string, { host, port }: Address): PortRequest {
  const configured = { port, configured: port, configuredText: String(port) };
  return { setting, name: setting, host, ...configured, yieldsTo: 'none' };
}

/**
 * Returns the configured port of a service that runs alone, or a free one if it is 0. Throws `PortInUseError` if the port
 * is taken.
 */
export async function requireFreePort(address: Address): Promise<number> {
  return (await chooseInstancePort(fixedPort('PORT', address), { others: [], reserved: [] })).port;
}
