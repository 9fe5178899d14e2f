/** Finds the programs of workers and child processes. */
import { existsSync } from 'node:fs';

/**
 * Returns the file that Node.js runs for a source: the source, or the JavaScript file of an installed package, which has
 * the same name. `npm run package` finds the programs by the calls of this function.
 */
export function programFile(source: URL): URL {
  return existsSync(source) ? source : new URL(source.href.replace(/\.ts$/, '.js'));
}

/**
 * Returns the file that Node.js runs for an entry point of the bundled program: its source, or in an installed package a file
 * of the bundle, which shares code with the other entry points.
 * @param name of the entry point
 * @param root folder of the repository or of the package
 */
export function entryPointFile(name: string, source: URL, root: URL): URL {
  return existsSync(source) ? source : new URL(`cli/build/${name}.js`, root);
}
