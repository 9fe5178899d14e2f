/** Ports for servers that must have a port before they listen. */
import { randomInt } from 'node:crypto';
import { choosePort } from '@greenroom/ports';

/**
 * Linux assigns ports from 32,768 on to outgoing connections and to servers that accept any port, so another process
 * may take such a port before the server listens on it.
 */
const FIRST = 10_000;
const LAST = 30_000;

/** Returns a free port outside of the range from which the system assigns ports. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return choosePort({ host, port: randomInt(FIRST, LAST), fixed: false });
}
