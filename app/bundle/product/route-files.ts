/** The files in a product's folder `app/routes` that are routes. */
import { type Dirent, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { productProblem } from './product-problem.ts';

const CODE = /\.[jt]sx?$/;
/** Files next to pages that are none. */
const NO_ROUTE = /\.(?:server|test)\.[jt]sx?$/;
/** Name of the file in a folder that is a route. */
const FOLDER_ROUTE = /^(?:route|index)\.[jt]sx?$/;
/** Special characters of patterns, which folders and the names of optional and escaped segments contain. */
const SPECIAL = /[\\?*+@!(){}[\]|,]/g;

/** Files of a product, as paths relative to the folder of the built-in pages. */
interface RouteFiles {
  /** Files that must become routes. */
  routes: readonly string[];
  /** Patterns of all other files. The router regards every file as a route, also styles and pictures. */
  ignored: readonly string[];
}

/**
 * Lists the files. @param prefix path of the folder relative to that of the built-in pages
 * @throws if a file is a symbolic link, which the router would leave out without a message
 */
export function listRouteFiles(folder: string, prefix: string): RouteFiles {
  const routes: string[] = [];
  const ignored: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = posix.join(prefix, entry.name);
    const file = fileOf(entry, folder);
    if (file !== undefined) routes.push(posix.join(path, file));
    else ignored.push(path.replace(SPECIAL, '\\$&'));
  }
  return { routes, ignored };
}

/** Returns the route of an entry relative to that; an empty text for the entry itself, undefined for none. */
function fileOf(entry: Dirent, folder: string): string | undefined {
  const { name } = entry;
  if (name.startsWith('.')) return undefined;
  if (entry.isSymbolicLink()) {
    throw productProblem(`app/routes/${name} is a symbolic link. Allowed: files and folders`);
  }
  if (entry.isDirectory()) return readdirSync(join(folder, name)).find((each) => FOLDER_ROUTE.test(each));
  return CODE.test(name) && !NO_ROUTE.test(name) ? '' : undefined;
}
