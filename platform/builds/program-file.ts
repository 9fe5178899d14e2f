/** Finds the programs of workers and child processes. */
import { existsSync } from 'node:fs';

/**
 * Returns the file that Node.js runs for a source: the source, or the JavaScript file of an installed package, which has
 * the same name. `npm run package` finds the programs by the calls of this function.
 */
export function programFile(source: URL): URL {
  return existsSync(source) ? source : new URL(source.href.replace(/\.ts$/, '.js'));
}
