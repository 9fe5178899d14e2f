/**
 * How the router loads a route's code in the browser. It takes the place of the router's own module when the app is
 * bundled (see `vite.config.ts`): that one reloads the page at once and without end, wherever the visitor was. Here
 * the failure becomes an error of the route, and `shell/errors/error-page.tsx` decides.
 */
import { noteChunkError } from './chunk-errors.ts';

/** As much of the router's manifest entry as is needed. */
interface RouteEntry {
  id: string;
  /** Address of the module. */
  module: string;
}

/** Loads a module once. The router waits for ever if this rejects, so a stand-in carries the error instead. */
export async function loadRouteModule(route: RouteEntry, cache: Record<string, unknown>): Promise<unknown> {
  if (route.id in cache) return cache[route.id];
  try {
    const module: unknown = await import(/* @vite-ignore */ route.module);
    cache[route.id] = module;
    return module;
  } catch (error) {
    return failingModule(noteChunkError(error));
  }
}

/** A route's module that fails as soon as it is used. */
function failingModule(error: unknown) {
  const fail = () => {
    throw error;
  };
  return { clientLoader: fail, default: fail };
}
