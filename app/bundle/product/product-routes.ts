/**
 * Combines the built-in routes with those of a product, which follow React Router's conventions for file names. A route of the
 * product with the URL or the file name of a built-in one takes its place, and its id.
 */
import { basename, extname, posix, resolve } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { productRoutesFolder, shareRouteIds } from './product-folder.ts';
import { productProblem } from './product-problem.ts';
import { reservedPart } from './reserved-paths.ts';
import { listRouteFiles } from './route-files.ts';

/** Begins the ids of routes that replace none. */
const ID_PREFIX = 'product';

/**
 * Returns all routes. @param own the built-in ones, without children
 * @throws if two files are the same route, or if a file has a path that pages cannot have
 */
export async function withProductRoutes(own: readonly RouteConfigEntry[]): Promise<RouteConfigEntry[]> {
  const folder = productRoutesFolder()?.replaceAll('\\', '/');
  if (folder === undefined) return [...own];
  const { flatRoutes } = await import('@react-router/fs-routes');
  const app = resolve(import.meta.dirname, '..', '..').replaceAll('\\', '/');
  const prefix = posix.relative(app, folder);
  const { routes, ignored } = listRouteFiles(folder, prefix);
  const found = await flatRoutes({ rootDirectory: prefix, ignoredRouteFiles: [...ignored] });
  const ids = new Map<string, string>();
  const merge = createMerge(own, { app, prefix, ids });
  const added = found.map((entry) => merge(entry, ''));
  const missing = routes.find((file) => !ids.has(posix.join(app, file)));
  if (missing !== undefined) throw duplicate(posix.relative(prefix, missing), 'another file of app/routes');
  shareRouteIds(ids);
  const replaced = new Set(ids.values());
  return [...added, ...own.filter((entry) => !replaced.has(idOf(entry)))];
}

interface MergeContext {
  app: string;
  prefix: string;
  /** Receives the ids by the paths of files. */
  ids: Map<string, string>;
}

function createMerge(own: readonly RouteConfigEntry[], { app, prefix, ids }: MergeContext) {
  const byUrl = new Map(own.map((entry) => [entry.path ?? '', entry]));
  const byName = new Map(own.map((entry) => [nameOf(entry), entry]));
  /** Files by the ids of the built-in routes that they replace. */
  const replacements = new Map<string, string>();
  return function merge(entry: RouteConfigEntry, parentUrl: string): RouteConfigEntry {
    const name = posix.relative(prefix, entry.file);
    // The route of a folder has the name of its folder; its file is `route` or `index`.
    const namesake = parentUrl === '' && !name.includes('/') ? byName.get(nameOf(entry)) : undefined;
    const url = namesake?.path ?? [parentUrl, entry.path ?? ''].filter(Boolean).join('/');
    const isPage = entry.index === true || entry.path !== undefined;
    if (isPage) refuseReserved(name, url);
    const replaced = namesake ?? (isPage && !hasIndex(entry) ? byUrl.get(url) : undefined);
    const id = replaced ? idOf(replaced) : `${ID_PREFIX}${entry.id?.slice(prefix.length)}`;
    const other = replaced && replacements.get(id);
    if (other !== undefined) throw duplicate(name, `app/routes/${other}`);
    if (replaced) replacements.set(id, name);
    ids.set(posix.join(app, entry.file), id);
    const placed = namesake ? placeOf(namesake) : {};
    const children = entry.children?.map((child) => merge(child, url));
    return { ...entry, ...placed, id, ...(children && { children }) };
  };
}

function refuseReserved(name: string, url: string): void {
  const reserved = reservedPart(url);
  if (reserved === undefined) return;
  throw productProblem(
    `app/routes/${name}: the path /${url} is not allowed, because ${reserved} is reserved. Allowed: any other path`,
  );
}

function duplicate(name: string, other: string): Error {
  return productProblem(
    `app/routes/${name}: ${other} has the same path or name. Allowed: one file for each path`,
  );
}

function placeOf({ path, index }: RouteConfigEntry): Pick<RouteConfigEntry, 'path' | 'index'> {
  return { ...(path !== undefined && { path }), ...(index !== undefined && { index }) };
}

/** The page with the URL of a layout is its index route. */
function hasIndex({ children = [] }: RouteConfigEntry): boolean {
  return children.some(({ index }) => index === true);
}

function nameOf({ file }: RouteConfigEntry): string {
  return basename(file, extname(file));
}

/** The id that the router gives to a built-in route. */
function idOf({ file }: RouteConfigEntry): string {
  return file.slice(0, -extname(file).length);
}
