/** The product that a build or a server of pages includes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variable with the absolute path of the product's folder `app/`. */
const PRODUCT_APP = 'GREENROOM_PRODUCT_APP';

/** Returns the folder `app/` of the product, with `/` as separators; undefined for none. */
export function productAppFolder(): string | undefined {
  return process.env[PRODUCT_APP]?.replaceAll('\\', '/') || undefined;
}

/** Returns the folder with pages by file; undefined if the product has none. */
export function productRoutesFolder(): string | undefined {
  const app = productAppFolder();
  const folder = app === undefined ? undefined : join(app, 'routes');
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/** Ids of the product's routes by the paths of their files. */
type RouteIds = ReadonlyMap<string, string>;

/** The configuration of routes is evaluated in another module graph than the plugins, in the same process. */
const SHARED = Symbol.for('greenroom.product-route-ids');
const shared = globalThis as { [SHARED]?: RouteIds };

/** Called whenever the routes are read. */
export function shareRouteIds(ids: RouteIds): void {
  shared[SHARED] = ids;
}

/** Returns the id of the route in a file; undefined if the file is no route of the product. */
export function routeIdOf(file: string): string | undefined {
  return shared[SHARED]?.get(file);
}
