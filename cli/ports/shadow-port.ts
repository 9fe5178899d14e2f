/** The port of databases that a command creates for a moment: `db.shadow_port`. */
import type { Settings } from '../settings.ts';
import { chooseInstancePort } from './choose-instance-port.ts';
import { portRequest } from './port-request.ts';

/**
 * Returns the port, or a free one if it is 0, or if another instance of Greenroom holds it and config.toml names it. Throws
 * `PortInUseError` if another program holds it. The settings must be valid.
 */
export async function chooseShadowPort(settings: Settings): Promise<number> {
  const request = portRequest(settings, {
    setting: 'GREENROOM_DB_SHADOW_PORT',
    host: '127.0.0.1',
    fallback: 0,
    yieldsWithoutFile: 'none',
  });
  return (await chooseInstancePort(request, { others: [], reserved: [] })).port;
}
