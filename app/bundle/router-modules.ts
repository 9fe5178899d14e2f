/**
 * Replaces modules of the router with our own. The router's version is pinned exactly: if a newer version needs
 * another export of a replaced module, the build fails.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROUTER = /node_modules[\\/]react-router[\\/]/;
/** The bundler resolves the imports of these modules for browsers, too, before it finds them unused. */
const UNUSED = /[\\/](?:rsc|server-runtime)[\\/]/;

/** A replaced module of the router, by the end of its path. */
interface Replacement {
  module: string;
  by: string;
  /** Servers keep the router's own module. */
  isForBrowsersOnly: boolean;
}

const REPLACEMENTS: readonly Replacement[] = [
  { module: '/routeModules.js', by: 'load-route-module.ts', isForBrowsersOnly: false },
  { module: '/fog-of-war.js', by: 'no-route-discovery.ts', isForBrowsersOnly: true },
  { module: '/instrumentation.js', by: 'no-instrumentation.ts', isForBrowsersOnly: true },
];

/** Plugin for production builds. */
export function ownRouterModules(): Plugin {
  return {
    name: 'own-router-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !ROUTER.test(importer)) return null;
      const isForBrowsers = this.environment.name === 'client' && !UNUSED.test(importer);
      const found = REPLACEMENTS.find(
        ({ module, isForBrowsersOnly }) => source.endsWith(module) && (isForBrowsers || !isForBrowsersOnly),
      );
      return found ? fileURLToPath(new URL(`../lib/modules/${found.by}`, import.meta.url)) : null;
    },
  };
}
