/** Ports for servers that must know theirs before they listen. */
import { randomInt } from 'node:crypto';
import { choosePort } from '@greenroom/ports';

/**
 * Linux begins the ports of outgoing connections, and of servers that take any, at 32,768: one from there may be
 * somebody else's before it is listened on.
 */
const FIRST = 10_000;
const LAST = 30_000;

/** A free port that no other process is given by chance: outside the ports that the system deals out. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return choosePort({ host, port: randomInt(FIRST, LAST), fixed: false });
}
