/** Ports for servers that must have a port before they listen. */
import { choosePort } from '@greenroom/ports';

/** Returns a free port outside of the range from which the system assigns ports. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return choosePort({ host, port: 0, fixed: false });
}
