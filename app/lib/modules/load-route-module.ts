/**
 * Loads a route's code in the browser. It replaces the router's own module when the app is bundled (see
 * `vite.config.ts`): that module reloads the page at once and without a limit. Here, the failure becomes an
 * error of the route, and `shell/errors/error-page.tsx` decides what happens.
 */
import { markChunkError } from './chunk-errors.ts';

/** The fields of the router's manifest entry that are used here. */
interface RouteEntry {
  id: string;
  /** URL of the module. */
  module: string;
}

/**
 * Loads a module once. The router would wait forever if this rejected, so a substitute module throws the
 * error instead.
 */
export async function loadRouteModule(route: RouteEntry, cache: Record<string, unknown>): Promise<unknown> {
  if (route.id in cache) return cache[route.id];
  try {
    const module: unknown = await import(/* @vite-ignore */ route.module);
    cache[route.id] = module;
    return module;
  } catch (error) {
    return failingModule(markChunkError(error));
  }
}

/** Returns a route module that throws as soon as it is used. */
function failingModule(error: unknown) {
  const fail = () => {
    throw error;
  };
  return { clientLoader: fail, default: fail };
}
