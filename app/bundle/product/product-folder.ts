/** The product that a build or a server of pages includes. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** Environment variable with the absolute path of the product's folder `app/`. */
const PRODUCT_APP = 'GREENROOM_PRODUCT_APP';

/**
 * Returns the folder `app/` of the product, with `/` as separators; undefined for none. The path contains no symbolic links,
 * because the bundler resolves those of modules, too.
 */
export function productAppFolder(): string | undefined {
  const folder = process.env[PRODUCT_APP];
  return folder ? realpathSync(folder).replaceAll('\\', '/') : undefined;
}

/** Returns the folder with pages by file; undefined if the product has none. */
export function productRoutesFolder(): string | undefined {
  const app = productAppFolder();
  const folder = app === undefined ? undefined : join(app, 'routes');
  return folder !== undefined && existsSync(folder) ? realpathSync(folder) : undefined;
}

/** Returns the name of a route's file for messages, e.g. `app/routes/todos.tsx`. */
export function routeNameOf(file: string): string {
  const folder = productRoutesFolder();
  return `app/routes/${folder === undefined ? basename(file) : relative(folder, file).replaceAll('\\', '/')}`;
}

/** Ids of the product's routes by the paths of their files. */
type RouteIds = ReadonlyMap<string, string>;

/** The configuration of routes is evaluated in another module graph than the plugins, in the same process. */
const SHARED = Symbol.for('greenroom.product-route-ids');
const PROBLEM = Symbol.for('greenroom.product-route-problem');
const shared = globalThis as { [SHARED]?: RouteIds; [PROBLEM]?: unknown };

/** Called whenever the routes are read. */
export function shareRouteIds(ids: RouteIds): void {
  shared[SHARED] = ids;
}

/** Returns the id of the route in a file; undefined if the file is no route of the product. */
export function routeIdOf(file: string): string | undefined {
  return shared[SHARED]?.get(file);
}

/** Keeps a mistake in the routes for {@link takeRouteProblem}. */
export function shareRouteProblem(problem: unknown): void {
  shared[PROBLEM] = problem;
}

/** Returns the mistake in the routes that were read last, once; undefined for none. */
export function takeRouteProblem(): unknown {
  const problem = shared[PROBLEM];
  delete shared[PROBLEM];
  return problem;
}
