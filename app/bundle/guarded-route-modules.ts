/** Replaces the router's loading of route modules with our own; see `lib/modules/load-route-module.ts`. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROUTER = /node_modules[\\/]react-router[\\/]/;

/** Plugin for production builds. */
export function guardedRouteModules(): Plugin {
  const own = fileURLToPath(new URL('../lib/modules/load-route-module.ts', import.meta.url));
  return {
    name: 'guarded-route-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source.endsWith('/routeModules.js') && importer && ROUTER.test(importer) ? own : null,
  };
}
